package io.dynamolock.test;

import java.util.concurrent.atomic.AtomicBoolean;

/** What {@link TestLocks} have brought about, until it is closed; at the latest at the end of the test. Thread-safe. */
public final class Situation implements AutoCloseable {

    private final Runnable end;
    private final AtomicBoolean over = new AtomicBoolean();

    Situation(Runnable end) {
        this.end = end;
    }

    boolean isOver() {
        return over.get();
    }

    /** Ends it; when this returns, it is over for the code under test. Idempotent. */
    @Override
    public void close() {
        if (over.compareAndSet(false, true)) {
            end.run();
        }
    }
}
