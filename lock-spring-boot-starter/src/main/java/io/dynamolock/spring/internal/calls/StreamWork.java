package io.dynamolock.spring.internal.calls;

import io.dynamolock.spring.internal.EnteredMethod;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** The work that one subscription does under its locks: a stream of Reactor, or coroutines. */
@FunctionalInterface
interface StreamWork {

    /** @param result the result of the method and of the aspects inside the lock */
    Publisher<Object> publisher(@Nullable Object result);

    /** Called before the method is entered. May change the arguments. */
    default void prepare(EnteredMethod entered, @Nullable Object[] arguments) {}

    /** Called if the method has thrown, in which case no work has begun. */
    default void failed() {}

    /**
     * Lets no further work begin, because the work has failed or was cancelled. Not called after a success; may be
     * called several times.
     *
     * @return completes, never exceptionally, when all of the work has ended
     */
    default CompletableFuture<?> endAsync() {
        return CompletableFuture.completedFuture(null);
    }
}
