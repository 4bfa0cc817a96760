package io.dynamolock.spring;

import java.util.concurrent.atomic.AtomicReference;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;
import org.jspecify.annotations.Nullable;

/**
 * In the context of a coroutine, knows its job, and so when it has ended: a coroutine that is cancelled may still be at work. Not to be
 * touched without Kotlin's coroutines.
 */
final class CoroutineEnd extends AbstractCoroutineContextElement implements ThreadContextElement<Unit> {

    private static final CoroutineContext.Key<CoroutineEnd> KEY = new CoroutineContext.Key<>() {};

    private final AtomicReference<@Nullable Job> job = new AtomicReference<>();

    CoroutineEnd() {
        super(KEY);
    }

    /** To be called when the coroutine has been cancelled: if it has not begun by then, it never will. */
    void await(Runnable callback) {
        Job known = job.get();
        if (known == null) {
            callback.run();
        } else {
            known.invokeOnCompletion(cause -> {
                callback.run();
                return Unit.INSTANCE;
            });
        }
    }

    /** The same with this in its context. */
    <T> Continuation<T> in(Continuation<T> continuation) {
        CoroutineContext context = continuation.getContext().plus(this);
        return new Continuation<>() {
            @Override
            public CoroutineContext getContext() {
                return context;
            }

            @Override
            public void resumeWith(Object result) {
                continuation.resumeWith(result);
            }
        };
    }

    /** Called first when the coroutine begins, and before it is asked whether it is cancelled; later also by those that it begins. */
    @Override
    public Unit updateThreadContext(CoroutineContext context) {
        job.compareAndSet(null, context.get(Job.Key));
        return Unit.INSTANCE;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Unit before) {}
}
