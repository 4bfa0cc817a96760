package io.dynamolock.spring.aspect;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Futures that are done and cannot be listened to. */
final class FinishedFutures {

    private FinishedFutures() {}

    /**
     * The same as a stage.
     *
     * @param future done; null gives null, as a method that returns nothing of interest does
     */
    static CompletionStage<?> stage(@Nullable Future<?> future) {
        if (future == null) {
            return CompletableFuture.completedFuture(null);
        }
        try {
            return CompletableFuture.completedFuture(future.get());
        } catch (ExecutionException e) {
            return CompletableFuture.failedFuture(e.getCause() == null ? e : e.getCause());
        } catch (CancellationException e) {
            return CompletableFuture.failedFuture(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(e);
        }
    }
}
