package io.dynamolock.spring;

import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** A suspending function, of which Spring makes a {@code Mono}. Not to be touched without Kotlin's coroutines. */
final class SuspendedWork implements StreamWork<Object> {

    private final CoroutineEnd end = new CoroutineEnd();
    private final StreamWork<Object> mono;

    SuspendedWork(StreamWork<Object> mono) {
        this.mono = mono;
    }

    @Override
    public Publisher<Object> begin(MethodBody body) {
        return mono.begin(body);
    }

    /** Spring takes the context of the coroutine from the continuation of the caller. */
    @Override
    public void prepare(@Nullable Object[] arguments) {
        int last = arguments.length - 1;
        if (arguments[last] instanceof Continuation<?> continuation) {
            arguments[last] = end.in(continuation);
        }
    }

    @Override
    public void whenCancelled(Runnable leaving) {
        end.await(leaving);
    }
}
