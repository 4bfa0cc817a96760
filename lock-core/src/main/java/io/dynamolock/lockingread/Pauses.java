package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Where all pauses between tries come from, so that tests need not wait for them. */
@FunctionalInterface
interface Pauses {

    /** Completes after this time, on a thread on which nothing may block. */
    CompletableFuture<?> after(Duration pause);

    /** By the timer of the JDK: one thread for all that wait. */
    static Pauses real() {
        return pause -> new CompletableFuture<Boolean>().completeOnTimeout(true, pause.toNanos(), TimeUnit.NANOSECONDS);
    }
}
