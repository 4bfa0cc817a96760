package io.dynamolock.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;

/**
 * In the context of a coroutine, knows its jobs, and so when it has ended: a coroutine that is cancelled may still be at work. Not to be
 * touched without Kotlin's coroutines.
 */
final class CoroutineEnd extends AbstractCoroutineContextElement implements ThreadContextElement<Unit> {

    private static final CoroutineContext.Key<CoroutineEnd> KEY = new CoroutineContext.Key<>() {};

    /** Those without a parent: its own, and what Spring or an aspect begins apart from it in the same context. */
    private final List<Job> jobs = new CopyOnWriteArrayList<>();

    CoroutineEnd() {
        super(KEY);
    }

    /** To be called when the coroutine has been cancelled: if it has not begun by then, it never will. */
    void await(Runnable callback) {
        AtomicInteger left = new AtomicInteger(1);
        Runnable oneLess = () -> {
            if (left.decrementAndGet() == 0) {
                callback.run();
            }
        };
        for (Job job : jobs) {
            left.incrementAndGet();
            job.invokeOnCompletion(cause -> {
                oneLess.run();
                return Unit.INSTANCE;
            });
        }
        oneLess.run();
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
        Job job = context.get(Job.Key);
        if (job != null && job.getParent() == null && !jobs.contains(job)) {
            jobs.removeIf(Job::isCompleted);
            jobs.add(job);
        }
        return Unit.INSTANCE;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Unit before) {}
}
