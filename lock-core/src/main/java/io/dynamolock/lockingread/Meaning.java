package io.dynamolock.lockingread;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** What the end of a call means: a result, or what it throws. */
@FunctionalInterface
interface Meaning<E, R> {

    R of(E end) throws Throwable;

    /** Starts a call. Its future fails with what a meaning throws, without anything around it. */
    static <A, R> CompletableFuture<R> of(
            Supplier<CompletableFuture<A>> call, Meaning<A, R> onAnswer, Meaning<Throwable, R> onFailure) {
        CompletableFuture<R> result = new CompletableFuture<>();
        start(call).whenComplete((answer, failure) -> {
            try {
                result.complete(failure == null ? onAnswer.of(answer) : onFailure.of(unwrap(failure)));
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        return result;
    }

    /** What is thrown instead of a future is in the future, too. */
    static <R> CompletableFuture<R> start(Supplier<CompletableFuture<R>> steps) {
        try {
            return steps.get();
        } catch (Throwable thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    /** What went wrong, without what futures put around it. */
    static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
