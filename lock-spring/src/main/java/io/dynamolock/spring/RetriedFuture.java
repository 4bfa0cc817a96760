package io.dynamolock.spring;

import io.dynamolock.LockException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A future with a retry around it, which is not to try again after a {@link LockException}. */
final class RetriedFuture {

    private RetriedFuture() {}

    /** Inside the retry: what it takes for a value is not tried again. */
    static CompletableFuture<@Nullable Object> hideFailure(CompletionStage<?> stage) {
        CompletableFuture<@Nullable Object> hiding = withItsCancel(stage);
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                hiding.complete(value);
            } else if (LockedCall.cause(failure) instanceof LockException ofLock) {
                hiding.complete(new RetryUnderLock.Hidden(ofLock));
            } else {
                hiding.completeExceptionally(failure);
            }
        });
        return hiding;
    }

    /** Outside the retry. */
    static CompletableFuture<@Nullable Object> showFailure(CompletionStage<?> stage) {
        CompletableFuture<@Nullable Object> showing = withItsCancel(stage);
        stage.whenComplete((value, failure) -> {
            if (value instanceof RetryUnderLock.Hidden hidden) {
                showing.completeExceptionally(hidden.failure());
            } else if (failure == null) {
                showing.complete(value);
            } else {
                showing.completeExceptionally(failure);
            }
        });
        return showing;
    }

    /** One that depends on another would not pass it on. */
    private static CompletableFuture<@Nullable Object> withItsCancel(CompletionStage<?> stage) {
        CompletableFuture<@Nullable Object> changed = new CompletableFuture<>();
        changed.whenComplete((value, failure) -> {
            if (changed.isCancelled() && stage instanceof Future<?> future) {
                future.cancel(true);
            }
        });
        return changed;
    }
}
