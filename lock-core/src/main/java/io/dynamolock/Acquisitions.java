package io.dynamolock;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** How callers ask for locks, wait for the engine's answer, each in its way, and are followed meanwhile. Thread-safe. */
final class Acquisitions {

    private final LockEngine engine;
    private final RegistryThreads.Tellers tellers;
    private final Outcomes outcomes;
    final OwnHolds ownHolds;
    private volatile @Nullable LockObserver observer;

    Acquisitions(LockEngine engine, RegistryThreads.Tellers tellers, Fences fences) {
        this.engine = engine;
        this.tellers = tellers;
        this.outcomes = new Outcomes(fences);
        this.ownHolds = new OwnHolds(engine);
    }

    /** Has it follow those who ask from now on. */
    void observe(LockObserver following) {
        observer = Objects.requireNonNull(following, "observer");
    }

    /** Does not wait. */
    CompletableFuture<LockHandle> begin(LockRequest request, AcquireSpec spec) {
        return begin(request, spec, FollowedCaller.begin(observer, request), tellers);
    }

    /** As {@link #begin(LockRequest, AcquireSpec)}, of a caller that no observer follows. */
    CompletableFuture<LockHandle> beginUnseen(
            LockRequest request, AcquireSpec spec, RegistryThreads.Tellers tellersOfCaller) {
        return begin(request, spec, FollowedCaller.UNSEEN, tellersOfCaller);
    }

    private CompletableFuture<LockHandle> begin(
            LockRequest request, AcquireSpec spec, FollowedCaller caller, RegistryThreads.Tellers tellersOfCaller) {
        return AsyncAcquisition.begin(
                engine.acquire(spec),
                request,
                caller,
                outcome -> outcomes.handle(spec, outcome, caller, tellersOfCaller, waited -> false),
                tellersOfCaller.async());
    }

    /** Waits for the outcome; an interrupt, also one before the call, leaves the queue. */
    Answer await(LockRequest request, AcquireSpec spec) {
        try {
            return awaitInterruptibly(request, spec);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(spec.key().key(), spec.key().namespace(), e);
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
    GrantHandle granted(AcquireSpec spec, Answer answer) {
        GrantHandle handle =
                outcomes.handle(spec, answer.outcome(), answer.caller(), tellers, ownHolds::standInTheWayOf);
        ownHolds.add(handle.grant());
        return handle;
    }
}
