package io.dynamolock.lockingread;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Futures that fail with what went wrong, without anything around it. */
final class Futures {

    private Futures() {}

    /** What the steps throw instead of returning a future is in the future, too. */
    static <R> CompletableFuture<R> of(Supplier<CompletableFuture<R>> steps) {
        CompletableFuture<R> result = new CompletableFuture<>();
        CompletableFuture.completedFuture(true)
                .thenCompose(start -> steps.get())
                .whenComplete((value, failure) -> {
                    if (failure == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(unwrap(failure));
                    }
                });
        return result;
    }

    static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Returns what a complete future brought, or throws what it failed with. */
    static <R> R result(CompletableFuture<R> complete) {
        try {
            return complete.join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw failure.getCause() instanceof RuntimeException thrown ? thrown : failure;
        }
    }
}
