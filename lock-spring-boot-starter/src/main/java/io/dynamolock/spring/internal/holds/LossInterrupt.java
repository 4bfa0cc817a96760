package io.dynamolock.spring.internal.holds;

import io.dynamolock.spring.internal.CurrentHandle;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread that runs a body when its lock is lost, and never after the body has ended. Thread-safe. */
final class LossInterrupt implements Runnable {

    private final Thread worker = Thread.currentThread();
    private boolean ended;
    private boolean interrupted;

    private LossInterrupt() {}

    /** Runs the body, and clears its own interrupt afterwards. An interrupt that came from elsewhere before stays. */
    static @Nullable Object during(CurrentHandle.Body body, HeldLock lock) throws Throwable {
        LossInterrupt interrupt = new LossInterrupt();
        try {
            lock.onLost(interrupt);
            return body.run();
        } finally {
            lock.forget(interrupt);
            interrupt.end();
        }
    }

    @Override
    public synchronized void run() {
        if (!ended && !worker.isInterrupted()) {
            interrupted = true;
            worker.interrupt();
        }
    }

    private synchronized void end() {
        ended = true;
        if (interrupted) {
            Thread.interrupted();
        }
    }
}
