package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Where all pauses between tries come from, so that tests need not wait for them. */
interface Pauses {

    /** Completes after this time, on a thread that may make the next call. */
    CompletableFuture<Void> after(Duration pause);

    /**
     * In the caller's own thread. An interrupt ends the pause, and the thread's flag tells of it; it may also end early for
     * no reason, which costs a try.
     */
    static Pauses blocking() {
        return pause -> {
            LockSupport.parkNanos(pause.toNanos());
            return CompletableFuture.allOf();
        };
    }
}
