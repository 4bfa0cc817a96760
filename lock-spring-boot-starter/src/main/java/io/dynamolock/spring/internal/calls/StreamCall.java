package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockLostException;
import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.declarations.SkippedResult;
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
 * One subscription to what a method returns, a stream or what Spring makes of a suspending function: asks for the locks, calls the
 * method when they are granted, and releases them when its stream has ended. Not to be touched without Reactor.
 *
 * @param locks what the subscriber holds already, and then all that the call wants
 * @param sink of the stream that follows the wait
 * @param cancelled when the subscriber has enough of waiting, who then gets nothing from the sink
 */
record StreamCall(
        LockedCall call,
        StreamWork work,
        HeldLocks locks,
        MonoSink<Flux<Object>> sink,
        CompletableFuture<@Nullable Void> cancelled) {

    /** Runs a cancel at once. What it throws goes to the thread's handler, and the locks are released even so. */
    private static final Scheduler CANCELS = Schedulers.fromExecutor(Runnable::run);

    /** A stream each of whose subscriptions is under locks of its own. */
    static Flux<Object> stream(LockedCall call, Supplier<StreamWork> work) {
        return Mono.<Flux<Object>>create(sink -> {
                    CompletableFuture<@Nullable Void> cancelled = new CompletableFuture<>();
                    sink.onCancel(() -> cancelled.complete(null));
                    if (!cancelled.isDone()) {
                        HeldLocks locks = HeldLocks.enter(
                                call, wanted -> HeldByContext.enter(wanted, call.registry(), sink.contextView()));
                        StreamCall begun = new StreamCall(call, work.get(), locks, sink, cancelled);
                        begun.orFail(begun::enter);
                    }
                })
                .flatMapMany(entered -> entered);
    }

    private void orFail(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) {
            locks.leaveAsync().whenComplete((left, never) -> sink.error(LockedCall.cause(failure)));
        }
    }

    private void enter() {
        List<WantedLock> missing = locks.missing();
        if (missing.isEmpty()) {
            goOn(new WaitResult(List.of(), null));
            return;
        }
        // The question for a lock belongs to the subscriber's observation.
        CallerContext.capture(sink.contextView()).execute(() -> {
            PendingLocks pending = call.acquireAsync(missing, "subscriber");
            cancelled.thenRun(pending::cancel);
            call.whenAnswered(
                    pending, (handles, failure) -> orFail(() -> goOn(LockedCall.result(missing, handles, failure))));
        });
    }

    private void goOn(WaitResult acquired) {
        WaitTimeout timeout = acquired.timeout();
        if (timeout != null) {
            locks.leaveAsync().whenComplete((left, never) -> sink.success(instead(timeout)));
            return;
        }
        List<HeldLock> taken = locks.take(acquired.handles());
        if (call.untilTransactionEnds()) {
            HeldByContext.stayForTransaction(locks, taken, call.registry(), sink.contextView());
        }
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
        Flux<Object> stream = stream(() -> call.proceed(locks.current(), work::prepare))
                .contextWrite(context -> HeldByContext.with(locks, call.registry(), context))
                .takeWhile(element -> locks.loss() == null)
                .takeUntilOther(lost.asMono());
        return Flux.concat(loss, stream, loss).doFinally(signal -> locks.forget(onLost));
    }

    /** Without an element, or with that which stands for nothing in the declared type, or with what the application names instead. */
    private Flux<Object> instead(WaitTimeout timeout) {
        return timeout.skips()
                ? Mono.justOrEmpty(SkippedResult.of(call.method().result().type()))
                        .flux()
                : stream(() -> timeout.answer(call.invocation()));
    }

    /** Of what the body gives. Whatever it throws is the subscriber's, also errors that Reactor lets pass. */
    private Flux<Object> stream(CurrentHandle.Body body) {
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

    /** Of a loss the subscriber is told at once, if work that is told to end goes on for a while. */
    private Mono<Void> leaveAfter(Throwable failure) {
        LockLostException loss = locks.loss();
        if (loss != null && !(failure instanceof LockLostException)) {
            failure.addSuppressed(loss);
        }
        CompletableFuture<Void> left = leaveWhenEnded();
        return loss == null || work.ended().isDone() ? Mono.fromFuture(left) : Mono.empty();
    }

    private CompletableFuture<Void> leaveWhenEnded() {
        return work.ended().thenCompose(ended -> locks.leaveAsync());
    }
}
