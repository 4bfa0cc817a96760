package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Delays the next try. Tests replace it, so that they need not wait. */
interface Delayer {

    /** A future that completes after this time, on a thread that may make the next call. */
    CompletableFuture<Void> after(Duration pause);

    /**
     * Blocks the calling thread. An interrupt ends the pause and keeps the thread's flag. A pause may also end too
     * early for no reason, which only costs one more try.
     */
    static Delayer blocking() {
        return pause -> {
            LockSupport.parkNanos(pause.toNanos());
            return CompletableFuture.allOf();
        };
    }
}
