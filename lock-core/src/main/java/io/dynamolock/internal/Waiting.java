package io.dynamolock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** How a calling thread waits for what happens elsewhere. */
final class Waiting {

    private Waiting() {}

    /**
     * Waits for the answer; throws what the future failed with.
     *
     * @param interrupted what is thrown after an interrupt, whose flag is kept
     */
    static <T> T forAnswer(CompletableFuture<T> answer, Function<InterruptedException, RuntimeException> interrupted) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted.apply(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("failed unexpectedly", e.getCause());
        }
    }
}
