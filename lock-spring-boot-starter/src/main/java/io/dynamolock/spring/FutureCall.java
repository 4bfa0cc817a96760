package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of a method that returns a future: asks for the lock, runs the method when it is granted, and releases it when the
 * method's future ends, or its caller has enough of waiting for it. Thread-safe.
 *
 * <p>Whatever happens first counts, and the rest is without effect: the end of the method's future, the loss of the lock, or
 * that the caller completed the answer.
 */
final class FutureCall {

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
        HeldByThread outer = LocksOfThread.find(call.locks(), call.request());
        if (outer != null && outer.lock().enter()) {
            run(outer);
        } else if (call.method().hasThreadOfItsOwn()) {
            LockHandle handle = call.acquire();
            if (handle == null) {
                answer.complete(skipped());
            } else {
                granted(handle);
            }
        } else {
            CompletableFuture<LockHandle> asked = call.acquireAsync();
            Executor inContext = CallerContext.capture();
            answer.whenComplete((value, failure) -> asked.cancel(false));
            asked.whenComplete((handle, failure) -> inContext.execute(() -> answered(handle, failure)));
        }
    }

    private void answered(@Nullable LockHandle handle, @Nullable Throwable failure) {
        if (handle != null) {
            granted(handle);
        } else if (failure != null) {
            Throwable cause = LockedCall.cause(failure);
            if (call.skipsAfter(cause)) {
                answer.complete(skipped());
            } else {
                answer.completeExceptionally(cause);
            }
        }
    }

    private @Nullable Object skipped() {
        return SkippedResult.of(call.method().result().valueType());
    }

    private void granted(LockHandle handle) {
        HeldByThread held = new HeldByThread(new UsedLock(handle, call.request().mode()));
        if (answer.isDone()) {
            held.lock().leaveAsync();
            return;
        }
        LocksOfThread.add(call.locks(), call.request(), held);
        try {
            run(held);
        } finally {
            LocksOfThread.remove(call.locks(), call.request(), held);
        }
    }

    /** On the thread on which the method runs until it returns its future. */
    private void run(HeldByThread held) {
        UsedLock lock = held.lock();
        CompletionStage<?> stage;
        try {
            lock.ensureCovers(call.request(), call.method().description());
            stage = (CompletionStage<?>) held.run(this::runMethod, call.method().onLost());
        } catch (Throwable failure) {
            end(lock, null, failure);
            cancelWork();
            return;
        }
        if (call.mindsLoss()) {
            Runnable onLost = () -> {
                end(lock, null, null);
                cancelWork();
            };
            lock.onLost(onLost);
            answer.whenComplete((value, failure) -> lock.forget(onLost));
        }
        answer.whenComplete((value, failure) -> {
            if (ended.compareAndSet(false, true)) {
                cancelWork();
                lock.leaveAsync();
            }
        });
        if (stage != null) {
            stage.whenComplete((value, failure) -> end(lock, value, failure));
        }
    }

    private Object runMethod() throws Throwable {
        CompletionStage<?> stage = stage(call.body().run());
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

    private void end(UsedLock lock, @Nullable Object value, @Nullable Throwable failure) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        Throwable loss = call.mindsLoss() ? lock.loss() : null;
        if (failure != null && loss != null && failure != loss) {
            failure.addSuppressed(loss);
        }
        Throwable reason = failure != null ? failure : loss != null ? loss : hidden(value);
        lock.leaveAsync().whenComplete((released, never) -> {
            if (reason == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(reason);
            }
        });
    }

    private @Nullable Throwable hidden(@Nullable Object value) {
        try {
            call.finished(value);
            return null;
        } catch (IllegalStateException unfinished) {
            return unfinished;
        }
    }

    private void cancelWork() {
        if (work instanceof Future<?> future) {
            future.cancel(true);
        }
    }
}
