package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockLostException;
import io.dynamolock.spring.internal.CurrentHandle;
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
 * One call of a method that returns a future. Asks for the locks, and runs the method when they are granted. The caller
 * gets another future, the answer, at once. The locks are released when the method has returned and one of these events
 * has happened: the method's future has ended, a lock was lost, or the caller has cancelled the answer. Thread-safe.
 */
final class FutureCall implements RunningCall {

    private final LockedCall call;
    private final LocksOfCall locks;

    /**
     * The future that the caller gets. After a timeout of the wait, it completes with the empty value, the result of
     * the fallback method, or the exception. Otherwise it completes as {@link #outcome} did, once the call has left its
     * locks.
     */
    private final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();

    /**
     * Completed by the first of these events: the work ends, a lock is lost, or the answer is completed, by the caller
     * or after a timeout.
     */
    private final CompletableFuture<@Nullable Object> outcome = new CompletableFuture<>();

    /**
     * Completed when the method has returned its future, or the call has failed before. Until then the locks are
     * not left. Not completed after a timeout: then {@link #afterWait} leaves the locks of outer calls.
     */
    private final CompletableFuture<@Nullable Void> methodReturned = new CompletableFuture<>();

    /**
     * The thread on which the method runs until it returns its future; null before and afterwards. Set and cleared by
     * {@link #run}.
     */
    private volatile @Nullable Thread methodThread;

    private FutureCall(LockedCall call) {
        this.call = call;
        this.locks = LocksOfCall.enter(call, wanted -> HeldByThread.enter(wanted, call.registry()));
        answer.whenComplete((value, failure) -> outcome.cancel(false));
        methodReturned.thenRun(() -> outcome.whenComplete((value, failure) ->
                locks.leaveAsync().whenComplete((left, never) -> complete(answer, value, failure))));
    }

    /** @return the answer; every failure arrives through it */
    static CompletableFuture<@Nullable Object> start(Supplier<LockedCall> call) {
        try {
            FutureCall futureCall = new FutureCall(call.get());
            futureCall.runOrEnd(futureCall::enter);
            return futureCall.answer;
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
            WaitResult acquired = call.acquire(missing);
            afterWait(acquired, next -> {
                if (acquired.timeout() == null) {
                    call.tellOfEarlierReads(missing);
                }
                next.run();
            });
        } else {
            // Captured before the locks are asked for, so that a failure to capture leaves no request behind.
            Executor inContext = CallerContext.capture();
            PendingLocks pending = call.acquireAsync(missing, "future");
            outcome.whenComplete((value, failure) -> pending.cancel());
            call.whenAnswered(
                    pending,
                    (handles, failure) ->
                            runOrEnd(() -> afterWait(LockedCall.result(missing, handles, failure), inContext)));
        }
    }

    private void afterWait(WaitResult acquired, Executor inContext) {
        WaitTimeout timeout = acquired.timeout();
        if (timeout == null) {
            locks.take(acquired.handles());
            inContext.execute(this::run);
        } else {
            locks.leaveAsync()
                    .thenAcceptAsync(
                            left -> answerToTimeout(timeout)
                                    .whenComplete((value, failure) -> complete(answer, value, failure)),
                            inContext)
                    .whenComplete((left, failure) -> {
                        if (failure != null) {
                            complete(answer, null, LockedCall.cause(failure));
                        }
                    });
        }
    }

    private CompletionStage<@Nullable Object> answerToTimeout(WaitTimeout timeout) {
        if (answer.isDone()) {
            return answer;
        }
        try {
            return timeout.skips()
                    ? CompletableFuture.completedFuture(
                            timeout.skip(call.method(), call.method().result().valueType()))
                    : stage(timeout.answer(call.invocation()));
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Enters the method, on the current thread. */
    private void run() {
        methodThread = Thread.currentThread();
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
            methodThread = null;
            methodReturned.complete(null);
        }
    }

    /**
     * Runs one attempt of a retry. The first attempt runs on the thread that entered the method, and throws its
     * failure. Later attempts run on the retry's own threads, where an exception would vanish: the retry would never
     * complete its future, and the locks would be held for ever. So a later attempt returns a failed future instead of
     * throwing. After the loss of a lock, the first attempt returns a failed future as well: Spring's retries repeat an
     * attempt that throws, but take a failed future for a result.
     */
    @Override
    public @Nullable Object attempt(CurrentHandle.Body body) throws Throwable {
        try {
            Object result = runAsUser(body);
            cancelWhenOver(result);
            return result;
        } catch (Throwable failure) {
            boolean isLoss = failure instanceof LockLostException && locks.loss() != null;
            if (methodThread == Thread.currentThread() && !isLoss) {
                throw failure;
            }
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Runs the body as one more user of the locks, which are held at least until the body has returned. */
    private @Nullable Object runAsUser(CurrentHandle.Body body) throws Throwable {
        LocksOfCall user = locks.addUser();
        try {
            if (outcome.isDone() || !user.missing().isEmpty()) {
                throw new CancellationException("The call is over.");
            }
            user.ensureNoneIsLost();
            return user.run(() -> CurrentHandle.during(call.method().entered(user.current()), body));
        } finally {
            user.leaveAsync();
        }
    }

    /**
     * Cancels the work when the call is over. If a future does not support {@code cancel} and throws, {@code
     * whenComplete} ignores the exception.
     */
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

    /** Runs the step. If it fails, ends the call with the failure. */
    private void runOrEnd(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) {
            end(null, LockedCall.cause(failure));
            methodReturned.complete(null);
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
