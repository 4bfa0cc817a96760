package io.dynamolock.spring.internal.calls;

import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.EnteredMethod;
import io.dynamolock.spring.internal.declarations.MethodResult;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.CompletableJob;
import kotlinx.coroutines.Deferred;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.JobKt;
import kotlinx.coroutines.ThreadContextElement;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.future.FutureKt;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The work of a suspending function, of a {@code Deferred} or of the collection of a {@code Flow}. A cancelled
 * coroutine may still be at work, so this object must know when the coroutines have really ended. It is an element of
 * their context: Kotlin calls {@link #updateThreadContext} whenever one of the coroutines begins or resumes, and there
 * this object learns their jobs. Loaded only with Kotlin's coroutines.
 */
final class CoroutineWork extends AbstractCoroutineContextElement
        implements ThreadContextElement<@Nullable EnteredMethod>, StreamWork {

    private static final CoroutineContext.Key<CoroutineWork> KEY = new CoroutineContext.Key<>() {};

    private final LockedCall call;

    /** The context in which a flow is collected: that of its collector, with this object instead of the job. */
    private final CoroutineContext context;

    /**
     * Jobs without a parent: the coroutine itself, and coroutines that Spring or an aspect starts beside it in the same
     * context.
     */
    private final List<Job> jobs = new CopyOnWriteArrayList<>();

    /**
     * A job that stands for the body of a method that returns a {@code Deferred}: active from before the body runs
     * until its coroutine has ended. Unused for other methods.
     */
    private final CompletableJob body = JobKt.Job(null);

    /**
     * Whether the work has failed or was cancelled, so that no further body may begin. Set by {@link #endAsync}, never
     * cleared.
     */
    private volatile boolean isToldToEnd;

    /** The method whose coroutines these are, for the threads on which they run; null until it is entered. Set once. */
    private volatile @Nullable EnteredMethod entered;

    CoroutineWork(LockedCall call) {
        this(call, EmptyCoroutineContext.INSTANCE);
    }

    /** @param context of the collector of a flow */
    CoroutineWork(LockedCall call, CoroutineContext context) {
        super(KEY);
        this.call = call;
        this.context = context.minusKey(Job.Key).plus(this);
    }

    static boolean isOf(MethodResult result) {
        return result.kind() == MethodResult.Kind.SUSPENDED
                || result.type() == Deferred.class
                || result.type() == Flow.class;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Publisher<Object> publisher(@Nullable Object result) {
        if (result instanceof Flow<?> flow) {
            return ReactorFlowKt.asFlux((Flow<Object>) flow, context);
        }
        if (result instanceof Deferred<?> deferred) {
            deferred.invokeOnCompletion(cause -> {
                body.complete();
                return Unit.INSTANCE;
            });
            deferred.start();
            // Unlike Spring's adapter, this future passes a cancel on to the coroutine.
            return Mono.fromFuture(FutureKt.asCompletableFuture((Deferred<Object>) deferred));
        }
        body.complete();
        if (result instanceof Publisher<?> ofFunction) {
            return (Publisher<Object>) ofFunction;
        }
        throw new IllegalStateException("@DynamoLocked on " + call.method().description() + ": it returned " + result
                + " instead of a " + call.method().result().type().getSimpleName() + ".");
    }

    @Override
    public void failed() {
        body.complete();
    }

    /**
     * Puts this object into the context of the coroutine. Spring takes the context of a suspending function from the
     * function's last argument, the continuation of the caller, so that argument is replaced. A {@code Deferred} has no
     * such argument: a job stands for the method's body until the coroutine is known.
     */
    @Override
    public void prepare(EnteredMethod method, @Nullable Object[] arguments) {
        entered = method;
        if (call.method().result().type() == Deferred.class) {
            jobs.add(body);
            if (isToldToEnd) {
                throw new CancellationException("The call is over.");
            }
        }
        if (call.method().result().kind() != MethodResult.Kind.SUSPENDED) {
            return;
        }
        int last = arguments.length - 1;
        Continuation<?> continuation = (Continuation<?>) Objects.requireNonNull(arguments[last]);
        arguments[last] = new Continuation<>() {
            @Override
            public CoroutineContext getContext() {
                return continuation.getContext().plus(CoroutineWork.this);
            }

            @Override
            public void resumeWith(Object result) {
                continuation.resumeWith(result);
            }
        };
    }

    /**
     * Waits for the jobs that are known now. No other job can still run the work's code: no further body begins, and a
     * coroutine that was cancelled before it began runs none of its code, even if {@link #updateThreadContext} is still
     * called for it.
     */
    @Override
    public CompletableFuture<?> endAsync() {
        isToldToEnd = true;
        return CompletableFuture.allOf(
                        jobs.stream().map(FutureKt::asCompletableFuture).toArray(CompletableFuture<?>[]::new))
                .exceptionally(failure -> null);
    }

    /**
     * Called when a coroutine or one of its children begins or resumes, for the first time before the coroutine checks
     * whether it is cancelled. So the job of each coroutine is known before any of its code runs.
     */
    @Override
    public @Nullable EnteredMethod updateThreadContext(CoroutineContext context) {
        Job job = context.get(Job.Key);
        if (job != null && job.getParent() == null && !jobs.contains(job)) {
            jobs.removeIf(Job::isCompleted);
            jobs.add(job);
        }
        return CurrentHandle.exchange(entered);
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, @Nullable EnteredMethod before) {
        CurrentHandle.exchange(before);
    }
}
