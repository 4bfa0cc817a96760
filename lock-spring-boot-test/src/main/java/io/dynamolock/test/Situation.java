package io.dynamolock.test;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A situation that {@link TestLocks} has created. It lasts until it is closed, but at most until the end of the test.
 * Thread-safe.
 */
public final class Situation implements AutoCloseable {

    private final Runnable end;
    private final AtomicBoolean over = new AtomicBoolean();

    Situation(Runnable end) {
        this.end = end;
    }

    boolean isOver() {
        return over.get();
    }

    /** Ends the situation. When this returns, it is over for the code under test. Idempotent. */
    @Override
    public void close() {
        if (over.compareAndSet(false, true)) {
            end.run();
        }
    }
}
