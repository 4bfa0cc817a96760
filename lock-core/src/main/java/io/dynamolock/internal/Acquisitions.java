package io.dynamolock.internal;

import io.dynamolock.LockHandle;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRequest;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** How callers ask for locks, wait for the engine's answer, each in its way, and are followed meanwhile. Thread-safe. */
final class Acquisitions {

    private final LockEngine engine;
    final RegistryThreads.Tellers tellers;
    private final Fences fences;
    final OwnHolds ownHolds;
    private volatile @Nullable LockObserver observer;

    Acquisitions(LockEngine engine, RegistryThreads.Tellers tellers, Fences fences, @Nullable LockObserver observer) {
        this.engine = engine;
        this.tellers = tellers;
        this.fences = fences;
        this.ownHolds = new OwnHolds(engine);
        this.observer = observer;
    }

    /** Has it follow those who call from now on, unless another does. Returns whether it does. */
    boolean observe(LockObserver following) {
        if (observer == null) {
            observer = following;
        }
        return observer == following;
    }

    /** Does not wait. The data of the request is written before its future completes. */
    CompletableFuture<LockHandle> begin(LockRequest request, AcquireSpec spec) {
        return begin(spec, request.data().orElse(null), FollowedCaller.begin(observer, request), tellers);
    }

    /** As {@link #begin(LockRequest, AcquireSpec)}, but leaves the data of the request to the caller. */
    CompletableFuture<LockHandle> beginWithoutData(LockRequest request, AcquireSpec spec) {
        return begin(spec, null, FollowedCaller.begin(observer, request), tellers);
    }

    /** Does not wait. No observer follows the caller. */
    CompletableFuture<LockHandle> beginUnseen(AcquireSpec spec, RegistryThreads.Tellers tellersOfCaller) {
        return begin(spec, null, FollowedCaller.UNSEEN, tellersOfCaller);
    }

    private CompletableFuture<LockHandle> begin(
            AcquireSpec spec, @Nullable LockData data, FollowedCaller caller, RegistryThreads.Tellers tellersOfCaller) {
        Acquisition acquisition = engine.acquire(spec);
        CompletableFuture<LockHandle> result = new CompletableFuture<>();
        result.whenComplete((handle, failure) -> {
            // Cancelled, or completed by somebody else. Without effect where the acquisition itself has failed.
            if (failure != null || !acquisition.outcome().isDone()) {
                acquisition.abandon();
            }
        });
        acquisition
                .outcome()
                .thenAcceptAsync(
                        outcome -> {
                            caller.answered(outcome, acquisition);
                            if (outcome instanceof AcquireOutcome.Granted granted && result.isDone()) {
                                giveBack(granted, caller);
                                return;
                            }
                            try {
                                GrantHandle handle = handle(spec, outcome, caller, tellersOfCaller, false);
                                deliver(handle, data, result);
                            } catch (Throwable e) {
                                result.completeExceptionally(e);
                            }
                        },
                        tellersOfCaller.async());
        return result;
    }

    /** Not before its data is written, if there is some. */
    private static void deliver(GrantHandle handle, @Nullable LockData data, CompletableFuture<LockHandle> result) {
        CompletableFuture<Void> written =
                data == null ? CompletableFuture.completedFuture(null) : handle.putDataAsync(data);
        written.whenComplete((done, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            }
            if (failure != null || !result.complete(handle)) {
                handle.giveBack();
            }
        });
    }

    /** Waits for the outcome; an interrupt, also one before the call, leaves the queue. */
    Answer await(LockRequest request, AcquireSpec spec) {
        try {
            return awaitInterruptibly(request, spec);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.interrupted(spec.key(), e);
        }
    }

    /** As {@link #await}, and an interrupt is thrown on as it is. */
    Answer awaitInterruptibly(LockRequest request, AcquireSpec spec) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        ownHolds.warnOfWaiting(spec);
        FollowedCaller caller = FollowedCaller.begin(observer, request);
        Acquisition acquisition = engine.acquire(spec);
        try {
            AcquireOutcome outcome = acquisition.outcome().get();
            caller.answered(outcome, acquisition);
            return new Answer(outcome, caller);
        } catch (InterruptedException e) {
            acquisition.abandon();
            caller.answered(new AcquireOutcome.Abandoned(), acquisition);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an acquisition never completes exceptionally", e);
        }
    }

    /** Waits for the outcome whatever happens, and keeps the interrupt flag. */
    Answer awaitUninterruptibly(LockRequest request, AcquireSpec spec) {
        ownHolds.warnOfWaiting(spec);
        FollowedCaller caller = FollowedCaller.begin(observer, request);
        Acquisition acquisition = engine.acquire(spec);
        AcquireOutcome outcome = acquisition.outcome().join();
        caller.answered(outcome, acquisition);
        return new Answer(outcome, caller);
    }

    /** The calling thread's handle, or the exception that says why there is none. */
    GrantHandle granted(LockRequest request, AcquireSpec spec, Answer answer) {
        return grantedWithoutData(spec, answer).written(request);
    }

    /** As {@link #granted}, but leaves the data of the request to the caller. */
    GrantHandle grantedWithoutData(AcquireSpec spec, Answer answer) {
        boolean mayBeOwn = answer.outcome() instanceof AcquireOutcome.TimedOut && ownHolds.standInTheWayOf(spec);
        GrantHandle handle = handle(spec, answer.outcome(), answer.caller(), tellers, mayBeOwn);
        ownHolds.add(handle.grant());
        return handle;
    }

    private static void giveBack(AcquireOutcome.Granted granted, FollowedCaller caller) {
        granted.grant().giveBack();
        caller.ended(true);
    }

    private GrantHandle handle(
            AcquireSpec spec,
            AcquireOutcome outcome,
            FollowedCaller caller,
            RegistryThreads.Tellers tellersOfCaller,
            boolean mayBeOwn) {
        if (outcome instanceof AcquireOutcome.Granted granted) {
            try {
                return new GrantHandle(granted.grant(), tellersOfCaller, fences, caller);
            } catch (Throwable e) {
                giveBack(granted, caller);
                throw e;
            }
        }
        throw Failures.of(outcome, spec, mayBeOwn);
    }
}
