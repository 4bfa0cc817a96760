package io.dynamolock.spring;

import io.dynamolock.LockException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * One call under its lock with a retry inside, which is not to try again after a {@link LockException}, or once the caller has its
 * answer. Its result is a value or a future, and no stream. Thread-safe.
 */
final class RetriedCall {

    /** For the retry, which takes it for a result. */
    private static final Object OVER = new Object();

    /** None if the method returns no future. */
    private final @Nullable FutureCall future;

    private final AtomicBoolean begun = new AtomicBoolean();

    /** After this there is no further attempt, and it is what the caller gets, whatever the retry makes of it. */
    private volatile @Nullable LockException failure;

    private RetriedCall(@Nullable FutureCall future) {
        this.future = future;
    }

    /**
     * Outside the retry.
     *
     * @param key of this retry, by which its attempts find the call
     */
    static @Nullable Object run(ProxyMethodInvocation invocation, String key) throws Throwable {
        RetriedCall call = new RetriedCall(FutureCall.of(invocation));
        invocation.setUserAttribute(key, call);
        Object result;
        try {
            result = invocation.proceed();
        } catch (Throwable made) {
            LockException told = call.failure;
            throw told == null ? made : told;
        }
        LockException told = call.failure;
        if (told != null) {
            throw told;
        }
        return result instanceof CompletionStage<?> stage ? call.answer(stage) : result;
    }

    private CompletableFuture<@Nullable Object> answer(CompletionStage<?> stage) {
        CompletableFuture<@Nullable Object> answer = withItsCancel(stage);
        stage.whenComplete((value, made) -> {
            LockException told = failure;
            Throwable reason = told != null ? told : value == OVER ? new CancellationException() : made;
            if (reason == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(reason);
            }
        });
        return answer;
    }

    /** Inside the retry. */
    static @Nullable Object attempt(ProxyMethodInvocation invocation, String key) throws Throwable {
        if (!(invocation.getUserAttribute(key) instanceof RetriedCall call)) {
            throw new IllegalStateException("No call is known for this attempt of " + invocation.getMethod());
        }
        return call.attempt(invocation);
    }

    private @Nullable Object attempt(MethodInvocation invocation) throws Throwable {
        boolean first = begun.compareAndSet(false, true);
        boolean givesStage =
                CompletionStage.class.isAssignableFrom(invocation.getMethod().getReturnType());
        if (isOver()) {
            return over(givesStage);
        }
        Object result;
        try {
            // The first runs under the locks already.
            result = first || future == null ? proceed(invocation) : future.runAgain(() -> proceed(invocation));
        } catch (LockException e) {
            failure = e;
            return over(givesStage);
        } catch (Throwable e) {
            if (first || !givesStage) {
                throw e;
            }
            // Nobody takes what it throws on a thread of the retry, and the future would never end, nor the hold.
            result = CompletableFuture.failedFuture(e);
        }
        return result instanceof CompletionStage<?> stage ? hiding(stage) : result;
    }

    private @Nullable Object proceed(MethodInvocation invocation) throws Throwable {
        Object result = invocation.proceed();
        if (future != null && result instanceof CompletionStage<?> stage) {
            future.attempted(stage);
        }
        return result;
    }

    private CompletableFuture<@Nullable Object> hiding(CompletionStage<?> stage) {
        CompletableFuture<@Nullable Object> hiding = withItsCancel(stage);
        stage.whenComplete((value, made) -> {
            if (made == null) {
                hiding.complete(value);
                return;
            }
            if (LockedCall.cause(made) instanceof LockException ofLock) {
                failure = ofLock;
            }
            if (isOver()) {
                hiding.complete(OVER);
            } else {
                hiding.completeExceptionally(made);
            }
        });
        return hiding;
    }

    private boolean isOver() {
        return failure != null || future != null && future.isOver();
    }

    private static Object over(boolean givesStage) {
        return givesStage ? CompletableFuture.completedFuture(OVER) : OVER;
    }

    /** One that depends on another would not pass it on. */
    private static CompletableFuture<@Nullable Object> withItsCancel(CompletionStage<?> stage) {
        CompletableFuture<@Nullable Object> changed = new CompletableFuture<>();
        changed.whenComplete((value, failure) -> {
            if (changed.isCancelled() && stage instanceof Future<?> future) {
                future.cancel(true);
            }
        });
        return changed;
    }
}
