package io.dynamolock.spring.aspect;

import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.internal.EnteredLock;
import java.util.List;
import java.util.Objects;
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
        this.locks = HeldLocks.enter(call, wanted -> LocksOfThread.enter(wanted, call.registry()));
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
                if (acquired.timeout() == null) {
                    locks.take(acquired.handles());
                    run();
                } else {
                    waitIsOver(acquired.timeout());
                }
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
        call.whenAnswered(asked, (handles, failure) -> {
            try {
                if (handles != null) {
                    locks.take(handles);
                }
                inContext.execute(() -> goOn(missing, failure));
            } catch (Throwable notThere) {
                // What the caller's thread carries is the application's, and may fail.
                end(null, notThere);
            }
        });
    }

    /** @param failure why what was missing is not granted; null if it is */
    private void goOn(List<WantedLock> missing, @Nullable Throwable failure) {
        if (answer.isDone()) {
            locks.leaveAsync();
        } else if (failure == null) {
            run();
        } else if (LockedCall.cause(failure) instanceof LockTimeoutException timeout) {
            waitIsOver(LockedCall.timeout(missing, timeout));
        } else {
            end(null, LockedCall.cause(failure));
        }
    }

    private void waitIsOver(Timeout timeout) {
        locks.leaveAsync().whenComplete((left, never) -> {
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
        });
    }

    /** On the thread on which the method runs until it returns its future. */
    private void run() {
        if (call.invocation() instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(KEY, this);
        }
        try {
            locks.run(() -> work = stage(call.proceed(locks.current())));
        } catch (Throwable failure) {
            end(null, failure);
            return;
        }
        Runnable onLost = () -> end(null, null);
        locks.onLost(onLost);
        answer.whenComplete((value, failure) -> {
            locks.forget(onLost);
            end(null, null);
        });
        Objects.requireNonNull(work).whenComplete((value, failure) -> end(value, failure));
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
    Object runAgain(EnteredLock.Body body) throws Throwable {
        HeldLocks again = locks.enterAgain();
        try {
            if (!again.missing().isEmpty()) {
                throw new CancellationException("The call is over.");
            }
            return again.run(() -> EnteredLock.during(again.current(), body));
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

    void end(@Nullable Object value, @Nullable Throwable failure) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        Throwable loss = locks.loss();
        if (failure != null && loss != null && failure != loss) {
            failure.addSuppressed(loss);
        }
        Throwable reason = failure != null ? failure : loss != null ? loss : hidden(value);
        locks.leaveAsync().whenComplete((released, never) -> complete(value, reason));
        cancelWork();
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
