package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockLostException;
import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.EnteredMethod;
import io.dynamolock.spring.internal.declarations.WantedLock;
import io.dynamolock.spring.internal.holds.HeldLock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * One subscription to the stream of a method, or to the stream into which Spring turns a suspending function. Asks for
 * the locks, calls the method when they are granted, and releases them when the stream has ended. Loaded only with
 * Reactor.
 *
 * @param locks at first the locks that the subscriber holds already; after the wait, all locks that the call wants
 * @param sink takes the stream that follows the wait
 * @param cancelled completed when the subscriber cancels before the wait is over
 */
record StreamCall(
        LockedCall call,
        StreamWork work,
        LocksOfCall locks,
        MonoSink<Flux<Object>> sink,
        CompletableFuture<@Nullable Void> cancelled) {

    /**
     * Runs a cancel on the thread that cancels. An exception goes to the handler of that thread, and does not keep
     * the locks from being released.
     */
    private static final Scheduler CANCELS = Schedulers.fromExecutor(Runnable::run);

    /** A stream that takes the locks anew for each subscription. */
    static Flux<Object> perSubscription(LockedCall call, Supplier<StreamWork> work) {
        return Mono.<Flux<Object>>create(sink -> {
                    CompletableFuture<@Nullable Void> cancelled = new CompletableFuture<>();
                    sink.onCancel(() -> cancelled.complete(null));
                    if (!cancelled.isDone()) {
                        LocksOfCall locks = LocksOfCall.enter(
                                call, wanted -> HeldByContext.enter(wanted, call.registry(), sink.contextView()));
                        StreamCall subscription = new StreamCall(call, work.get(), locks, sink, cancelled);
                        subscription.runOrFail(subscription::enter);
                    }
                })
                .flatMapMany(entered -> entered);
    }

    /** Runs the step. If it fails, leaves the locks and passes the failure on to the subscriber. */
    private void runOrFail(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) {
            locks.leaveAsync().whenComplete((left, never) -> sink.error(LockedCall.cause(failure)));
        }
    }

    private void enter() {
        List<WantedLock> missing = locks.missing();
        if (missing.isEmpty()) {
            afterWait(new WaitResult(List.of(), null));
            return;
        }
        // In the context of the subscriber, so that the registry's observation of the wait belongs to the subscriber's
        // observation.
        CallerContext.capture(sink.contextView()).execute(() -> {
            PendingLocks pending = call.acquireAsync(missing, "subscriber");
            cancelled.thenRun(pending::cancel);
            call.whenAnswered(
                    pending,
                    (handles, failure) -> runOrFail(() -> afterWait(LockedCall.result(missing, handles, failure))));
        });
    }

    private void afterWait(WaitResult acquired) {
        WaitTimeout timeout = acquired.timeout();
        if (timeout != null) {
            locks.leaveAsync().whenComplete((left, never) -> sink.success(answerToTimeout(timeout)));
            return;
        }
        List<HeldLock> taken = locks.take(acquired.handles());
        if (call.untilTransactionEnds()) {
            HeldByContext.stayForTransaction(locks, taken, call.registry(), sink.contextView());
        }
        // If the subscriber cancelled during the wait, the stream below is never subscribed, so nothing else would
        // leave the locks.
        cancelled.thenRun(locks::leaveAsync);
        sink.success(Flux.usingWhen(
                Mono.just(locks),
                held -> underLocks(),
                held -> Mono.fromFuture(locks.leaveAsync()),
                (held, failure) -> leaveAfter(failure),
                held -> Mono.fromRunnable(this::leaveWhenEnded)));
    }

    private Flux<Object> underLocks() {
        Sinks.Empty<Void> lost = Sinks.empty();
        Runnable onLost = lost::tryEmitEmpty;
        locks.onLost(onLost);
        Flux<Object> loss = Mono.fromSupplier(locks::loss).flatMapMany(Flux::error);
        EnteredMethod entered = call.method().entered(locks.current());
        Flux<Object> stream = streamOf(
                        () -> call.proceed(locks.current(), arguments -> work.prepare(entered, arguments)))
                .contextWrite(context -> HeldByContext.with(locks, call.registry(), context))
                .takeWhile(element -> locks.loss() == null)
                .takeUntilOther(lost.asMono());
        return Flux.concat(loss, stream, loss).doFinally(signal -> locks.forget(onLost));
    }

    /**
     * What the subscriber gets after a timeout: no element, the empty value of the declared type, or the application's
     * fallback or exception.
     */
    private Flux<Object> answerToTimeout(WaitTimeout timeout) {
        return timeout.skips()
                ? Mono.justOrEmpty(timeout.skip(
                                call.method(), call.method().result().type()))
                        .flux()
                : streamOf(() -> timeout.answer(call.invocation()));
    }

    /**
     * The stream that the body returns. Every exception of the body reaches the subscriber, even an error that Reactor
     * treats as fatal.
     */
    private Flux<Object> streamOf(CurrentHandle.Body body) {
        return Flux.<Object>from(subscriber -> {
                    try {
                        work.publisher(body.run()).subscribe(subscriber);
                    } catch (Throwable failure) {
                        work.failed();
                        Operators.error(subscriber, failure);
                    }
                })
                .cancelOn(CANCELS);
    }

    /**
     * Leaves the locks before the failure is passed on. Does not wait for that if a lock was lost and cancelled work
     * still goes on.
     */
    private Mono<Void> leaveAfter(Throwable failure) {
        LockLostException loss = locks.loss();
        if (loss != null && !(failure instanceof LockLostException)) {
            failure.addSuppressed(loss);
        }
        CompletableFuture<Void> left = leaveWhenEnded();
        return loss == null || work.endAsync().isDone() ? Mono.fromFuture(left) : Mono.empty();
    }

    private CompletableFuture<Void> leaveWhenEnded() {
        return work.endAsync().thenCompose(ended -> locks.leaveAsync());
    }
}
