package io.dynamolock.spring;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts the thread that runs under a lock when the lock is lost, and never once that work has ended. Created and
 * used on that thread, except for {@link #lockLost()}.
 */
final class LossInterrupt {

    private final Thread worker = Thread.currentThread();

    /** Held for an instant on either side: either the interrupt comes before the end of the work, or not at all. */
    private final ReentrantLock guard = new ReentrantLock();

    /** How many methods on the stack want the interrupt. */
    private int depth;

    private boolean interrupted;

    void enter() {
        guard.lock();
        try {
            depth++;
        } finally {
            guard.unlock();
        }
    }

    /** Takes back the interrupt when the last method leaves; one that came from elsewhere before it stays. */
    void exit() {
        guard.lock();
        try {
            depth--;
            if (depth == 0 && interrupted) {
                interrupted = false;
                Thread.interrupted();
            }
        } finally {
            guard.unlock();
        }
    }

    void lockLost() {
        guard.lock();
        try {
            if (depth > 0 && !worker.isInterrupted()) {
                interrupted = true;
                worker.interrupt();
            }
        } finally {
            guard.unlock();
        }
    }
}
