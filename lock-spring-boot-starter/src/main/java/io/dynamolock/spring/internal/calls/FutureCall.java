package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockLostException;
import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.declarations.SkippedResult;
import io.dynamolock.spring.internal.declarations.WantedLock;
import io.dynamolock.spring.internal.holds.HeldByThread;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of a method that returns a future. Asks for the locks, runs the method when they are granted, and releases
 * them when the method's future ends, a lock is lost, or the caller cancels the answer. Thread-safe.
 */
final class FutureCall implements RunningCall {

    private final LockedCall call;
    private final HeldLocks locks;

    /** What the caller gets. Completes as the outcome did, once the locks are released. */
    private final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();

    /** Completed by what happens first: the work ends, a lock is lost, or the caller completes the answer. */
    private final CompletableFuture<@Nullable Object> outcome = new CompletableFuture<>();

    /** Completed when the method has returned or will not run. No lock is released before. */
    private final CompletableFuture<@Nullable Void> begun = new CompletableFuture<>();

    /** The thread on which the method runs until it returns its future; null before and afterwards. */
    private volatile @Nullable Thread beginning;

    private FutureCall(LockedCall call) {
        this.call = call;
        this.locks = HeldLocks.enter(call, wanted -> HeldByThread.enter(wanted, call.registry()));
        answer.whenComplete((value, failure) -> outcome.cancel(false));
        begun.thenRun(() -> outcome.whenComplete((value, failure) ->
                locks.leaveAsync().whenComplete((left, never) -> complete(answer, value, failure))));
    }

    /** @return the answer, which fails with whatever goes wrong */
    static CompletableFuture<@Nullable Object> begin(Supplier<LockedCall> call) {
        try {
            FutureCall begun = new FutureCall(call.get());
            begun.orEnd(begun::enter);
            return begun.answer;
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void enter() {
        List<WantedLock> missing = locks.missing();
        if (missing.isEmpty()) {
            run();
        } else if (call.method().hasThreadOfItsOwn() && !NonBlockingThreads.isCurrent()) {
            // Without @EnableAsync, the method runs on the caller's thread after all.
            goOn(call.acquire(missing), Runnable::run);
        } else {
            // Captured first: if that fails, no lock has been asked for yet.
            Executor inContext = CallerContext.capture();
            PendingLocks pending = call.acquireAsync(missing, "future");
            outcome.whenComplete((value, failure) -> pending.cancel());
            call.whenAnswered(
                    pending,
                    (handles, failure) -> orEnd(() -> goOn(LockedCall.result(missing, handles, failure), inContext)));
        }
    }

    private void goOn(WaitResult acquired, Executor inContext) {
        WaitTimeout timeout = acquired.timeout();
        if (timeout == null) {
            locks.take(acquired.handles());
            inContext.execute(this::run);
        } else {
            locks.leaveAsync()
                    .thenAcceptAsync(
                            left -> instead(timeout).whenComplete((value, failure) -> complete(answer, value, failure)),
                            inContext)
                    .whenComplete((left, failure) -> {
                        if (failure != null) {
                            complete(answer, null, LockedCall.cause(failure));
                        }
                    });
        }
    }

    private CompletionStage<@Nullable Object> instead(WaitTimeout timeout) {
        if (answer.isDone()) {
            return answer;
        }
        try {
            return timeout.skips()
                    ? CompletableFuture.completedFuture(
                            SkippedResult.of(call.method().result().valueType()))
                    : stage(timeout.answer(call.invocation()));
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** On the thread on which the method runs until it returns its future. */
    private void run() {
        beginning = Thread.currentThread();
        try {
            if (outcome.isDone()) {
                return;
            }
            attachTo(call.invocation());
            Object work = locks.run(() -> stage(call.proceed(locks.current(), arguments -> {})));
            Runnable onLost = () -> end(null, null);
            outcome.whenComplete((value, failure) -> locks.forget(onLost));
            locks.onLost(onLost);
            ((CompletionStage<?>) Objects.requireNonNull(work)).whenComplete(this::end);
        } catch (Throwable failure) {
            end(null, failure);
        } finally {
            beginning = null;
            begun.complete(null);
        }
    }

    /**
     * The first attempt runs on the caller's thread and may throw. Later ones run on threads of the retry: what they
     * throw there reaches nobody, so the retry would never complete its future, and the locks would be held for ever.
     * So they give a failed future instead. So does an attempt that ends because of the loss of a lock, because Spring's
     * retries take a failed future for a result.
     */
    @Override
    public @Nullable Object attempt(CurrentHandle.Body body) throws Throwable {
        try {
            Object result = runAgain(body);
            cancelWhenOver(result);
            return result;
        } catch (Throwable failure) {
            boolean isLoss = failure instanceof LockLostException && locks.loss() != null;
            if (beginning == Thread.currentThread() && !isLoss) {
                throw failure;
            }
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Under the locks again, which are held at least until the body has returned. */
    private @Nullable Object runAgain(CurrentHandle.Body body) throws Throwable {
        HeldLocks again = locks.enterAgain();
        try {
            if (outcome.isDone() || !again.missing().isEmpty()) {
                throw new CancellationException("The call is over.");
            }
            again.ensureNoneIsLost();
            return again.run(() -> CurrentHandle.during(again.current(), body));
        } finally {
            again.leaveAsync();
        }
    }

    /** A future that cannot be cancelled throws here, which {@code whenComplete} swallows. */
    private void cancelWhenOver(@Nullable Object work) {
        outcome.whenComplete((value, failure) -> {
            if (work instanceof Future<?> future) {
                future.cancel(true);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private CompletionStage<@Nullable Object> stage(@Nullable Object result) throws InterruptedException {
        if (result instanceof CompletionStage<?> stage) {
            cancelWhenOver(stage);
            return (CompletionStage<@Nullable Object>) stage;
        }
        Future<?> future = (Future<?>) result;
        if (future != null && !future.isDone()) {
            future.cancel(true);
            throw new IllegalStateException("@DynamoLocked on " + call.method().description() + ": it returned a "
                    + future.getClass().getSimpleName() + ", which does not tell when its work ends, so it was"
                    + " cancelled. Return a CompletableFuture.");
        }
        try {
            return CompletableFuture.completedFuture(future == null ? null : future.get());
        } catch (ExecutionException e) {
            return CompletableFuture.failedFuture(e.getCause());
        }
    }

    private void orEnd(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) {
            end(null, LockedCall.cause(failure));
            begun.complete(null);
        }
    }

    private void end(@Nullable Object value, @Nullable Throwable failure) {
        if (outcome.isDone()) {
            return;
        }
        Throwable loss = locks.loss();
        Throwable cause = failure == null ? loss : LockedCall.cause(failure);
        if (cause != null && loss != null && cause != loss) {
            cause.addSuppressed(loss);
        }
        complete(outcome, value, failure == null ? loss : failure);
    }

    private static void complete(
            CompletableFuture<@Nullable Object> future, @Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(failure);
        }
    }
}
