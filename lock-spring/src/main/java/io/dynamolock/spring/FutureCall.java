package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockTimeoutException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of a method that returns a future: asks for the locks, runs the method when they are granted, and releases them when
 * the method's future ends, or its caller has enough of waiting for it. Thread-safe.
 *
 * <p>Whatever happens first counts, and the rest is without effect: the end of the method's future, the loss of a lock, or
 * that the caller completed the answer.
 */
final class FutureCall {

    private static final Logger LOG = LoggerFactory.getLogger(FutureCall.class);

    private final LockedCall call;
    private final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Set once the method has returned. */
    private volatile @Nullable CompletionStage<?> work;

    private FutureCall(LockedCall call) {
        this.call = call;
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

    private void enter() {
        HeldLocks locks = HeldLocks.enter(call, LocksOfThread::findUsed);
        List<WantedLock> missing = locks.missing();
        if (missing.isEmpty()) {
            run(locks);
            return;
        }
        try {
            // It may have no thread of its own, as where @EnableAsync is missing.
            if (call.method().hasThreadOfItsOwn() && !NonBlockingThreads.isCurrent()) {
                Acquired acquired = call.acquire(missing);
                answered(locks, acquired.handles(), acquired.timeout());
            } else {
                ask(locks, missing);
            }
        } catch (RuntimeException e) {
            locks.leaveAsync();
            throw e;
        }
    }

    private void ask(HeldLocks locks, List<WantedLock> missing) {
        // First, because it may fail, and nothing is asked for yet.
        Executor inContext = CallerContext.capture();
        Asked asked = call.acquireAsync(missing);
        answer.whenComplete((value, failure) -> asked.cancel());
        call.whenAnswered(asked, (handles, failure) -> answered(inContext, locks, missing, handles, failure));
    }

    /** What the caller's thread carries is the application's, and may fail. */
    private void answered(
            Executor inContext,
            HeldLocks locks,
            List<WantedLock> missing,
            @Nullable List<LockHandle> handles,
            @Nullable Throwable failure) {
        AtomicBoolean begun = new AtomicBoolean();
        try {
            inContext.execute(() -> {
                begun.set(true);
                answered(locks, missing, handles, failure);
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
            end(locks, null, notThere);
        }
    }

    private void answered(
            HeldLocks locks,
            List<WantedLock> missing,
            @Nullable List<LockHandle> handles,
            @Nullable Throwable failure) {
        if (handles != null) {
            answered(locks, handles, null);
        } else if (failure != null) {
            Throwable cause = LockedCall.cause(failure);
            if (cause instanceof LockTimeoutException timeout) {
                answered(locks, List.of(), LockedCall.timeout(missing, timeout));
            } else {
                locks.leaveAsync();
                answer.completeExceptionally(cause);
            }
        }
    }

    private void answered(HeldLocks locks, List<LockHandle> handles, @Nullable Timeout timeout) {
        if (timeout != null) {
            locks.leaveAsync().whenComplete((left, never) -> answerInstead(timeout));
            return;
        }
        locks.take(handles);
        if (answer.isDone()) {
            locks.leaveAsync();
        } else {
            run(locks);
        }
    }

    /** When the wait is over. */
    private void answerInstead(Timeout timeout) {
        if (answer.isDone()) {
            return;
        }
        if (timeout.skips()) {
            answer.complete(SkippedResult.of(call.method().result().valueType()));
            return;
        }
        try {
            CompletionStage<?> instead = stage(timeout.answer(call.invocation()));
            work = instead;
            answer.whenComplete((value, failure) -> cancelWork());
            instead.whenComplete((value, failure) -> complete(value, failure));
        } catch (Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** On the thread on which the method runs until it returns its future. */
    private void run(HeldLocks locks) {
        CompletionStage<?> stage;
        try {
            locks.ensureCover();
            stage = (CompletionStage<?>) locks.run(() -> runMethod(locks));
        } catch (Throwable failure) {
            end(locks, null, failure);
            cancelWork();
            return;
        }
        Runnable onLost = () -> {
            end(locks, null, null);
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
            stage.whenComplete((value, failure) -> end(locks, value, failure));
        }
    }

    private Object runMethod(HeldLocks locks) throws Throwable {
        CompletionStage<?> stage = stage(call.proceed(locks.current()));
        work = stage;
        return stage;
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

    private void end(HeldLocks locks, @Nullable Object value, @Nullable Throwable failure) {
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
        } catch (RuntimeException unfinished) {
            return unfinished;
        }
    }

    private void cancelWork() {
        if (work instanceof Future<?> future) {
            try {
                future.cancel(true);
            } catch (RuntimeException e) {
                // As that of CompletableFuture.minimalCompletionStage does.
                LOG.debug("The future of {} cannot be cancelled", call.method().description(), e);
            }
        }
    }
}
