package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One subscription: asks for the lock, subscribes to the method's stream when it is granted, and releases it when that has ended,
 * or the subscriber has cancelled. Thread-safe.
 *
 * <p>Whatever ends it first counts, and the rest is without effect: the end of the stream, the loss of the lock, a refusal, or the
 * subscriber.
 */
final class LockedSubscription<T> extends Operators.DeferredSubscription implements CoreSubscriber<T> {

    private final LockedCall call;
    private final Supplier<? extends Publisher<T>> work;
    private final boolean single;
    private final CoreSubscriber<? super T> downstream;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean cancelled;
    private volatile @Nullable CompletableFuture<LockHandle> asked;

    /** Taken out by the end, so that it is left once. */
    private final AtomicReference<@Nullable UsedLock> held = new AtomicReference<>();

    private final Runnable lossCallback = this::lost;

    /** Of a stream that has one at most. Written before the end of the stream and read after it. */
    private @Nullable T result;

    LockedSubscription(
            LockedCall call,
            Supplier<? extends Publisher<T>> work,
            boolean single,
            CoreSubscriber<? super T> downstream) {
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
        try {
            enter();
        } catch (RuntimeException e) {
            end(e);
        }
    }

    private void enter() {
        UsedLock outer = LocksOfContext.find(call, currentContext());
        if (outer != null && outer.enter()) {
            under(outer, false);
            return;
        }
        CompletableFuture<LockHandle> future = call.acquireAsync();
        asked = future;
        if (ended.get()) {
            future.cancel(false);
        }
        future.whenComplete(this::answered);
    }

    private void answered(@Nullable LockHandle handle, @Nullable Throwable failure) {
        if (handle != null) {
            under(new UsedLock(handle, call.request().mode()), call.untilTransactionEnds());
        } else if (failure != null) {
            Throwable cause = LockedCall.cause(failure);
            if (call.skipsAfter(cause)) {
                skip();
            } else {
                end(cause);
            }
        }
    }

    private void under(UsedLock lock, boolean untilTransactionEnds) {
        held.set(lock);
        if (ended.get()) {
            leave();
            return;
        }
        lock.work(call.method().onLost());
        try {
            lock.ensureCovers(call.request(), call.method().description());
            if (untilTransactionEnds) {
                TransactionOfContext.hold(lock, call, currentContext());
            }
            if (call.mindsLoss()) {
                lock.handle().ensureValid();
                lock.onLost(lossCallback);
            }
        } catch (RuntimeException e) {
            end(e);
        }
        if (ended.get()) {
            return;
        }
        Flux.defer(work)
                .contextWrite(context -> LocksOfContext.with(lock, call, context))
                .subscribe(this);
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
            call.finished(element);
        } catch (IllegalStateException unfinished) {
            super.cancel();
            end(unfinished);
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
            super.cancel();
            CompletableFuture<LockHandle> future = asked;
            if (future != null) {
                future.cancel(false);
            }
            leave();
        }
    }

    private boolean isLost() {
        UsedLock lock = held.get();
        return lock != null && call.mindsLoss() && !lock.handle().isValid();
    }

    private void lost() {
        UsedLock lock = held.get();
        if (lock != null) {
            super.cancel();
            end(lock.loss());
        }
    }

    /** Without an element, or with that which stands for nothing in the declared type. */
    @SuppressWarnings("unchecked")
    private void skip() {
        if (call.method().result().kind() == MethodResult.Kind.SUSPENDED) {
            result = (T) SkippedResult.of(call.method().result().type());
        }
        end(null);
    }

    private void end(@Nullable Throwable failure) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        UsedLock lock = held.get();
        Throwable loss = lock != null && call.mindsLoss() ? lock.loss() : null;
        if (loss != null && failure != null && !(failure instanceof LockLostException)) {
            failure.addSuppressed(loss);
        }
        Throwable reason = failure != null ? failure : loss;
        leave().whenComplete((released, never) -> tell(reason));
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

    private CompletableFuture<Boolean> leave() {
        UsedLock lock = held.getAndSet(null);
        if (lock == null) {
            return CompletableFuture.completedFuture(true);
        }
        lock.forget(lossCallback);
        return lock.leaveAsync();
    }
}
