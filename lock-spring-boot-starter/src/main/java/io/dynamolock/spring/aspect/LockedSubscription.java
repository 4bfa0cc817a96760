package io.dynamolock.spring.aspect;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.internal.EnteredLock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One subscription: asks for the locks, subscribes to the method's stream when they are granted, and releases them when that has
 * ended, or the subscriber has cancelled. Thread-safe.
 *
 * <p>Whatever ends it first counts, and the rest is without effect: the end of the stream, the loss of a lock, a refusal, or the
 * subscriber.
 */
final class LockedSubscription<T> extends Operators.DeferredSubscription implements CoreSubscriber<T> {

    private final LockedCall call;
    private final StreamWork<T> work;
    private final boolean single;
    private final CoreSubscriber<? super T> downstream;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean cancelled;
    private volatile @Nullable Asked asked;

    /** Taken out by the end, so that they are left once; none while the call waits, and after a wait in vain. */
    private final AtomicReference<@Nullable HeldLocks> held = new AtomicReference<>();

    private final Runnable lossCallback = this::lost;

    /** Of a stream that has one at most. Written before the end of the stream and read after it. */
    private @Nullable T result;

    LockedSubscription(LockedCall call, StreamWork<T> work, boolean single, CoreSubscriber<? super T> downstream) {
        this.call = call;
        this.work = work;
        this.single = single;
        this.downstream = downstream;
    }

    void begin() {
        downstream.onSubscribe(this);
        if (ended.get()) {
            return;
        }
        orEnd(this::enter);
    }

    /** Also of errors that Reactor lets pass: the lock must be released, and the subscriber told. */
    private void orEnd(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) {
            cancelAndEnd(failure);
        }
    }

    private void enter() {
        Context context = currentContext();
        HeldLocks locks = HeldLocks.enter(call, wanted -> LocksOfContext.enter(wanted, call.registry(), context));
        List<WantedLock> missing = locks.missing();
        if (missing.isEmpty()) {
            under(locks, List.of());
            return;
        }
        Asked now;
        try {
            now = CallerContext.in(context, () -> call.acquireAsync(missing, "subscriber"));
        } catch (RuntimeException e) {
            locks.leaveAsync();
            throw e;
        }
        asked = now;
        if (ended.get()) {
            now.cancel();
        }
        call.whenAnswered(now, (handles, failure) -> orEnd(() -> answered(locks, missing, handles, failure)));
    }

    private void answered(
            HeldLocks locks,
            List<WantedLock> missing,
            @Nullable List<LockHandle> handles,
            @Nullable Throwable failure) {
        if (handles != null) {
            under(locks, handles);
        } else if (failure != null) {
            Throwable cause = LockedCall.cause(failure);
            locks.leaveAsync().whenComplete((left, never) -> {
                if (cause instanceof LockTimeoutException timeout) {
                    orEnd(() -> waitIsOver(LockedCall.timeout(missing, timeout)));
                } else {
                    end(cause);
                }
            });
        }
    }

    /** Without an element, or with that which stands for nothing in the declared type, or with what the application names instead. */
    @SuppressWarnings("unchecked")
    private void waitIsOver(Timeout timeout) {
        if (ended.get()) {
            return;
        }
        if (!timeout.skips()) {
            subscribe(() -> timeout.answer(call.invocation()), UnaryOperator.identity());
            return;
        }
        if (call.method().result().kind() == MethodResult.Kind.SUSPENDED) {
            result = (T) SkippedResult.of(call.method().result().type());
        }
        end(null);
    }

    private void under(HeldLocks locks, List<LockHandle> handles) {
        List<UsedLock> taken = locks.take(handles);
        held.set(locks);
        if (ended.get()) {
            leave();
            return;
        }
        if (call.untilTransactionEnds()) {
            locks.forEach((lock, used) -> {
                if (taken.contains(used)) {
                    TransactionOfContext.hold(used, lock.id(call.registry()), currentContext());
                } else if (lock.mindsLoss()) {
                    TransactionOfContext.ensureCommitIsSafe(used, currentContext());
                }
            });
        }
        locks.onLost(lossCallback);
        LockLostException loss = locks.loss();
        if (loss != null) {
            throw loss;
        }
        if (!ended.get()) {
            subscribe(
                    () -> call.proceed(locks.current(), work::prepare),
                    context -> LocksOfContext.with(locks, call.registry(), context));
        }
    }

    private void subscribe(EnteredLock.Body body, UnaryOperator<Context> context) {
        Flux.defer(() -> work.begin(body)).contextWrite(context).subscribe(this);
    }

    @Override
    public Context currentContext() {
        return downstream.currentContext();
    }

    @Override
    public void onSubscribe(Subscription upstream) {
        set(upstream);
    }

    @Override
    public void onNext(T element) {
        if (ended.get() || isLost()) {
            Operators.onDiscard(element, currentContext());
            lost();
            return;
        }
        try {
            if (held.get() != null) {
                call.finished(element);
            }
        } catch (RuntimeException unfinished) {
            cancelAndEnd(unfinished);
            return;
        }
        if (single) {
            result = element;
        } else {
            downstream.onNext(element);
        }
    }

    @Override
    public void onError(Throwable failure) {
        if (ended.get()) {
            Operators.onErrorDropped(failure, currentContext());
            return;
        }
        end(failure);
    }

    @Override
    public void onComplete() {
        end(null);
    }

    @Override
    public void cancel() {
        cancelled = true;
        if (ended.compareAndSet(false, true)) {
            try {
                super.cancel();
            } finally {
                Asked waiting = asked;
                if (waiting != null) {
                    waiting.cancel();
                }
                work.whenCancelled(this::leave);
            }
        }
    }

    private boolean isLost() {
        HeldLocks locks = held.get();
        return locks != null && locks.isLost();
    }

    private void lost() {
        HeldLocks locks = held.get();
        if (locks != null) {
            cancelAndEnd(locks.loss());
        }
    }

    /** Upstream is the application's, and may fail to be cancelled. */
    private void cancelAndEnd(@Nullable Throwable failure) {
        try {
            super.cancel();
        } catch (RuntimeException e) {
            Operators.onErrorDropped(e, currentContext());
        } finally {
            if (ended.compareAndSet(false, true)) {
                Throwable reason = reason(failure);
                // Where the work takes a while to end, the subscriber does not wait for it, and the locks stay held.
                CompletableFuture<Void> atOnce = CompletableFuture.completedFuture(null);
                AtomicReference<CompletableFuture<Void>> left = new AtomicReference<>(atOnce);
                work.whenCancelled(() -> left.set(leave()));
                Objects.requireNonNull(left.get()).whenComplete((released, never) -> tell(reason));
            }
        }
    }

    private void end(@Nullable Throwable failure) {
        if (ended.compareAndSet(false, true)) {
            Throwable reason = reason(failure);
            leave().whenComplete((released, never) -> tell(reason));
        }
    }

    private @Nullable Throwable reason(@Nullable Throwable failure) {
        HeldLocks locks = held.get();
        Throwable loss = locks == null ? null : locks.loss();
        if (loss != null && failure != null && !(failure instanceof LockLostException)) {
            failure.addSuppressed(loss);
        }
        return failure != null ? failure : loss;
    }

    private void tell(@Nullable Throwable reason) {
        if (cancelled) {
            return;
        }
        if (reason != null) {
            downstream.onError(reason);
            return;
        }
        if (result != null) {
            downstream.onNext(result);
        }
        downstream.onComplete();
    }

    private CompletableFuture<Void> leave() {
        HeldLocks locks = held.getAndSet(null);
        if (locks == null) {
            return CompletableFuture.completedFuture(null);
        }
        locks.forget(lossCallback);
        return locks.leaveAsync();
    }
}
