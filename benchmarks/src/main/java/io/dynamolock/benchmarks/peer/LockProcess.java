package io.dynamolock.benchmarks.peer;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One process's instance of a lock. Thread-safe. */
public interface LockProcess extends AutoCloseable {

    Duration LONGEST_CLOSE = Duration.ofSeconds(20);

    /**
     * Waits for the lock.
     *
     * @param wait how long at most; zero is one attempt
     * @return null if it was not granted in that time
     */
    @Nullable
    HeldLock acquire(String key, Duration wait) throws InterruptedException;

    /** What a caller does while it holds the lock. */
    @FunctionalInterface
    interface Work {

        /** @param allowedTogether how many may hold the lock at the same time, including this holder */
        void run(int allowedTogether) throws InterruptedException;
    }

    /** How a section ended. */
    enum Ended {
        WELL,
        /** The lock was not granted in time, and nothing has run. */
        NOT_GRANTED,
        /** The lock was lost, as far as this lock can tell. */
        LOST
    }

    /**
     * Takes the lock, works and releases it, as users of this lock write it. Returns when such a caller may go on.
     *
     * @param wait how long at most for the lock
     */
    default Ended section(String key, Duration wait, Work work) throws InterruptedException {
        HeldLock held = acquire(key, wait);
        if (held == null) {
            return Ended.NOT_GRANTED;
        }
        boolean isStillHeld = false;
        try {
            work.run(held.allowedTogether());
        } finally {
            isStillHeld = held.release();
        }
        return isStillHeld ? Ended.WELL : Ended.LOST;
    }

    /**
     * Waits in the background, in the cheapest way that this lock offers; that is a thread for each waiter, unless the
     * lock has an asynchronous way. The future ends with null if the lock was not granted in time.
     */
    default CompletableFuture<@Nullable HeldLock> acquireInBackground(String key, Duration wait) {
        CompletableFuture<@Nullable HeldLock> acquired = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        acquired.complete(acquire(key, wait));
                    } catch (InterruptedException | RuntimeException e) {
                        acquired.completeExceptionally(e);
                    }
                },
                "waiter");
        thread.setDaemon(true);
        thread.start();
        return acquired;
    }

    /** Stops cleanly: the locks that are held here are free for others at once. */
    @Override
    void close();

    /** As {@link #close()}, with a time limit: a peer that hangs must not hold up the others. */
    default void closeOrLeave() {
        Thread closing = new Thread(this::close, "closing");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(LONGEST_CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (closing.isAlive()) {
            System.err.println("A process did not close within " + LONGEST_CLOSE + " and is left alone");
        }
    }

    /** A lock that is held. */
    @FunctionalInterface
    interface HeldLock {

        /** How many may hold the lock at the same time, including this holder. */
        default int allowedTogether() {
            return 1;
        }

        /** The lock's own answer to the question whether it is still held; empty if the lock cannot be asked. */
        default Optional<Boolean> saysHeld() {
            return Optional.empty();
        }

        /** @return whether it was still held, as far as this lock can tell; always true if it tells nothing */
        boolean release();
    }
}
