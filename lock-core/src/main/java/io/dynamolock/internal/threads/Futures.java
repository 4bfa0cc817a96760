package io.dynamolock.internal.threads;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Futures that fail with the exception itself, not wrapped in a {@link CompletionException}, and how a thread waits for
 * them.
 */
public final class Futures {

    private Futures() {}

    /** The future of these steps. If the steps throw, the future completes exceptionally. */
    public static <R> CompletableFuture<R> of(Supplier<CompletableFuture<R>> steps) {
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

    public static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Completes after this time, on a thread of the JDK's for such tasks; none waits for it. */
    public static CompletableFuture<Void> after(Duration pause) {
        return CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** The result of a completed future. Throws what the future failed with. */
    public static <R> R result(CompletableFuture<R> complete) {
        return await(complete, interrupt -> new IllegalStateException("the future was not complete", interrupt));
    }

    /**
     * Waits for the answer. Throws what the future failed with.
     *
     * @param interrupted makes the exception that is thrown after an interrupt; the interrupt flag is kept
     */
    public static <T> T await(
            CompletableFuture<T> answer, Function<InterruptedException, RuntimeException> interrupted) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted.apply(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : new IllegalStateException("failed unexpectedly", e.getCause());
        }
    }
}
