package io.dynamolock.spring.internal.calls;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** The kind of work that one subscription does under its locks: a stream of Reactor, or coroutines. */
@FunctionalInterface
interface StreamWork {

    /** @param result what the method, and the aspects inside the lock, have returned */
    Publisher<Object> publisher(@Nullable Object result);

    /** Called before the method runs. May change the arguments. */
    default void prepare(@Nullable Object[] arguments) {}

    /** Called if the method has thrown, so that no work has begun. */
    default void failed() {}

    /**
     * Called when the work has ended or was cancelled. Completes, never exceptionally, when nothing goes on any more.
     */
    default CompletableFuture<?> ended() {
        return CompletableFuture.completedFuture(null);
    }
}
