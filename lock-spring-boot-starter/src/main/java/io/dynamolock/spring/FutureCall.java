package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockTimeoutException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * One call of a method that returns a future: asks for the locks, runs the method when they are granted, and releases them when
 * the method's future ends, or its caller has enough of waiting for it. Thread-safe.
 *
 * <p>Whatever happens first counts, and the rest is without effect: the end of the method's future, the loss of a lock, or
 * that the caller completed the answer.
 */
final class FutureCall {

    private static final Logger LOG = LoggerFactory.getLogger(FutureCall.class);

    private static final String KEY = FutureCall.class.getName();

    private final LockedCall call;
    private final HeldLocks locks;
    private final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Set once the method has returned. */
    private volatile @Nullable CompletionStage<?> work;

    /** With a retry inside the locks: what the last attempt has returned. */
    private volatile @Nullable CompletionStage<?> attempt;

    private FutureCall(LockedCall call) {
        this.call = call;
        this.locks = HeldLocks.enter(call, LocksOfThread::findUsed);
    }

    /** @return the answer, which fails with whatever goes wrong */
    static CompletableFuture<@Nullable Object> begin(Supplier<LockedCall> call) {
        try {
            FutureCall begun = new FutureCall(call.get());
            begun.enter();
            return begun.answer;
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The call to which the rest of a method belongs that lies under its locks; null if it returns no future. */
    static @Nullable FutureCall of(ProxyMethodInvocation invocation) {
        return (FutureCall) invocation.getUserAttribute(KEY);
    }

    private void enter() {
        List<WantedLock> missing = locks.missing();
        if (missing.isEmpty()) {
            run();
            return;
        }
        try {
            // It may have no thread of its own, as where @EnableAsync is missing.
            if (call.method().hasThreadOfItsOwn() && !NonBlockingThreads.isCurrent()) {
                Acquired acquired = call.acquire(missing);
                answered(acquired.handles(), acquired.timeout());
            } else {
                ask(missing);
            }
        } catch (RuntimeException e) {
            locks.leaveAsync();
            throw e;
        }
    }

    private void ask(List<WantedLock> missing) {
        // First, because it may fail, and nothing is asked for yet.
        Executor inContext = CallerContext.capture();
        Asked asked = call.acquireAsync(missing, "future");
        answer.whenComplete((value, failure) -> asked.cancel());
        call.whenAnswered(asked, (handles, failure) -> answered(inContext, missing, handles, failure));
    }

    /** What the caller's thread carries is the application's, and may fail. */
    private void answered(
            Executor inContext,
            List<WantedLock> missing,
            @Nullable List<LockHandle> handles,
            @Nullable Throwable failure) {
        AtomicBoolean begun = new AtomicBoolean();
        try {
            inContext.execute(() -> {
                begun.set(true);
                try {
                    answered(missing, handles, failure);
                } catch (Throwable unforeseen) {
                    end(null, unforeseen);
                }
            });
        } catch (Throwable notThere) {
            if (begun.get()) {
                LOG.warn(
                        "What the caller of {} carries could not be taken off its thread",
                        call.method().description(),
                        notThere);
                return;
            }
            if (handles != null) {
                locks.take(handles);
            }
            end(null, notThere);
        }
    }

    private void answered(List<WantedLock> missing, @Nullable List<LockHandle> handles, @Nullable Throwable failure) {
        if (handles != null) {
            answered(handles, null);
        } else if (failure != null) {
            Throwable cause = LockedCall.cause(failure);
            if (cause instanceof LockTimeoutException timeout) {
                answered(List.of(), LockedCall.timeout(missing, timeout));
            } else {
                locks.leaveAsync();
                answer.completeExceptionally(cause);
            }
        }
    }

    private void answered(List<LockHandle> handles, @Nullable Timeout timeout) {
        if (timeout != null) {
            locks.leaveAsync().whenComplete((left, never) -> answerInstead(timeout));
            return;
        }
        locks.take(handles);
        if (answer.isDone()) {
            locks.leaveAsync();
        } else {
            run();
        }
    }

    /** When the wait is over. */
    private void answerInstead(Timeout timeout) {
        if (answer.isDone()) {
            return;
        }
        try {
            if (timeout.skips()) {
                answer.complete(SkippedResult.of(call.method().result().valueType()));
                return;
            }
            CompletionStage<?> instead = stage(timeout.answer(call.invocation()));
            work = instead;
            answer.whenComplete((value, failure) -> cancelWork());
            instead.whenComplete((value, failure) -> complete(value, failure));
        } catch (Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** On the thread on which the method runs until it returns its future. */
    private void run() {
        if (call.invocation() instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(KEY, this);
        }
        try {
            locks.ensureCover();
            endWith((CompletionStage<?>) locks.run(this::runMethod));
        } catch (Throwable failure) {
            end(null, failure);
            cancelWork();
        }
    }

    private void endWith(@Nullable CompletionStage<?> stage) {
        Runnable onLost = () -> {
            end(null, null);
            cancelWork();
        };
        locks.onLost(onLost);
        answer.whenComplete((value, failure) -> {
            locks.forget(onLost);
            if (ended.compareAndSet(false, true)) {
                locks.leaveAsync();
                cancelWork();
            }
        });
        if (stage != null) {
            stage.whenComplete((value, failure) -> end(value, failure));
        }
    }

    private Object runMethod() throws Throwable {
        CompletionStage<?> stage = stage(call.proceed(locks.current()));
        work = stage;
        return stage;
    }

    /** Whether nothing more is to begin: the answer is there, or will be when the locks are released. */
    boolean isOver() {
        return ended.get() || answer.isDone();
    }

    /**
     * Runs a later attempt of a retry inside the locks, on a thread of that: under the locks again, which are held at least until
     * the body has returned.
     *
     * @throws CancellationException if one of them has been left; the body is not run
     */
    @Nullable
    Object runAgain(MethodBody body) throws Throwable {
        HeldLocks again = locks.enterAgain();
        try {
            if (!again.missing().isEmpty()) {
                throw new CancellationException("The call is over.");
            }
            return again.run(() -> CurrentLock.during(again.current(), body));
        } finally {
            again.leaveAsync();
        }
    }

    /** The end of the call cancels what goes on in the attempt. A retry would not pass that on. */
    void attempted(CompletionStage<?> stage) {
        attempt = stage;
        if (isOver()) {
            cancel(stage);
        }
    }

    private CompletionStage<?> stage(@Nullable Object result) {
        if (result instanceof CompletionStage<?> stage) {
            return stage;
        }
        if (result instanceof Future<?> future && !future.isDone()) {
            future.cancel(true);
            throw new IllegalStateException("@DynamoLocked on " + call.method().description() + ": it returned a "
                    + result.getClass().getSimpleName() + ", which does not tell when its work ends, so it was"
                    + " cancelled. Return a CompletableFuture.");
        }
        return FinishedFutures.stage((Future<?>) result);
    }

    private void end(@Nullable Object value, @Nullable Throwable failure) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        Throwable loss = locks.loss();
        if (failure != null && loss != null && failure != loss) {
            failure.addSuppressed(loss);
        }
        Throwable reason = failure != null ? failure : loss != null ? loss : hidden(value);
        locks.leaveAsync().whenComplete((released, never) -> complete(value, reason));
    }

    private void complete(@Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure);
        }
    }

    private @Nullable Throwable hidden(@Nullable Object value) {
        try {
            call.finished(value);
            return null;
        } catch (Throwable unfinished) {
            return unfinished;
        }
    }

    private void cancelWork() {
        cancel(work);
        cancel(attempt);
    }

    private void cancel(@Nullable CompletionStage<?> stage) {
        if (stage instanceof Future<?> future) {
            try {
                future.cancel(true);
            } catch (RuntimeException e) {
                // As that of CompletableFuture.minimalCompletionStage does.
                LOG.debug("The future of {} cannot be cancelled", call.method().description(), e);
            }
        }
    }
}
