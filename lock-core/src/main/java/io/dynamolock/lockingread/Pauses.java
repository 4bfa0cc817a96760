package io.dynamolock.lockingread;

import io.dynamolock.internal.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Where all pauses between tries come from, so that tests need not wait for them. */
@FunctionalInterface
interface Pauses {

    /** Completes after this time, on a thread that may make the next call. */
    CompletableFuture<Boolean> after(Duration pause);

    /** By the timer of the JDK, one thread for all that wait; its pool goes on, because nothing may block the timer. */
    static Pauses async() {
        return pause -> Futures.after(pause).thenApply(over -> true);
    }

    /**
     * In the caller's own thread. An interrupt ends the pause, and the thread's flag tells of it; it may also end early for
     * no reason, which costs a try.
     */
    static Pauses blocking() {
        return pause -> {
            LockSupport.parkNanos(pause.toNanos());
            return CompletableFuture.completedFuture(true);
        };
    }
}
