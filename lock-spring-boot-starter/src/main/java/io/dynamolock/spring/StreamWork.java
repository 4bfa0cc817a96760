package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** What one subscription does under its lock. */
@FunctionalInterface
interface StreamWork<T> {

    /** @param body the method, and the aspects inside the lock */
    Publisher<T> begin(MethodBody body);

    /** Before the body runs: may change the arguments of the method. */
    default void prepare(@Nullable Object[] arguments) {}

    /**
     * Called when the work has been told to end, which may take a while.
     *
     * @param leaving to be run once, as soon as it is known that nothing goes on
     */
    default void whenCancelled(Runnable leaving) {
        leaving.run();
    }
}
