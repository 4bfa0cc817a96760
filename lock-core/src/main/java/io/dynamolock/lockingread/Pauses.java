package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** Where all pauses between tries come from, so that tests need not wait for them. */
@FunctionalInterface
interface Pauses {

    /** Completes after this time, on a thread that may make the next call. */
    CompletableFuture<Boolean> after(Duration pause);

    /** By the timer of the JDK, one thread for all that wait; its pool goes on, because nothing may block the timer. */
    static Pauses async() {
        return pause -> new CompletableFuture<Boolean>()
                .completeOnTimeout(true, pause.toNanos(), TimeUnit.NANOSECONDS)
                .thenApplyAsync(over -> over, ForkJoinPool.commonPool());
    }

    /** In the caller's own thread. An interrupt ends the pause, and the thread's flag tells of it. */
    static Pauses blocking() {
        return pause -> {
            try {
                return CompletableFuture.completedFuture(
                        new CountDownLatch(1).await(pause.toNanos(), TimeUnit.NANOSECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return CompletableFuture.completedFuture(true);
            }
        };
    }
}
