package io.dynamolock.spring.internal.calls;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** What one subscription does under its locks. */
@FunctionalInterface
interface StreamWork {

    /** @param result of the method, and of the aspects inside the lock */
    Publisher<Object> publisher(@Nullable Object result);

    /** Before the method runs: may change its arguments. */
    default void prepare(@Nullable Object[] arguments) {}

    /** Nothing has begun, because the method has thrown. */
    default void failed() {}

    /** Asked when the work has been told to end: completes, and never exceptionally, when nothing goes on. */
    default CompletableFuture<?> ended() {
        return CompletableFuture.completedFuture(null);
    }
}
