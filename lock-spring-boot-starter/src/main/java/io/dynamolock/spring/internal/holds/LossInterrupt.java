package io.dynamolock.spring.internal.holds;

import io.dynamolock.spring.internal.CurrentHandle;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread that runs a body when the lock is lost, but never after the body has ended. Thread-safe. */
final class LossInterrupt implements Runnable {

    private final Thread worker = Thread.currentThread();
    // Guarded by this.
    /** Whether the body has ended, so that the thread must not be interrupted any more. Never cleared. */
    private boolean ended;
    /** Whether the loss has interrupted the thread. Never cleared. */
    private boolean interrupted;

    private LossInterrupt() {}

    /**
     * Runs the body. Afterwards clears the interrupt that the loss has caused. If other code had interrupted the thread
     * before the loss, that interrupt stays.
     */
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
