package io.dynamolock.internal.registry;

import io.dynamolock.LockHandle;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRequest;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.handles.Failures;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.threads.FollowedCaller;
import io.dynamolock.internal.threads.RegistryThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How callers ask for locks, wait for the engine's answer, each in its way, and are followed meanwhile. Thread-safe. */
public final class Acquisitions {

    private static final Logger log = LoggerFactory.getLogger(Acquisitions.class);

    private static final long NO_THREAD = 0;

    private final LockEngine engine;
    private final RegistryThreads.Tellers tellers;
    private final Fences fences;
    private volatile @Nullable LockObserver observer;

    public Acquisitions(
            LockEngine engine, RegistryThreads.Tellers tellers, Fences fences, @Nullable LockObserver observer) {
        this.engine = engine;
        this.tellers = tellers;
        this.fences = fences;
        this.observer = observer;
    }

    /** Where the callbacks of users are run. */
    RegistryThreads.Tellers tellers() {
        return tellers;
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
    public CompletableFuture<LockHandle> beginUnseen(AcquireSpec spec, RegistryThreads.Tellers tellersOfCaller) {
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
    EndedWait await(LockRequest request, AcquireSpec spec) {
        try {
            return awaitInterruptibly(request, spec);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.interrupted(spec.key(), e);
        }
    }

    /** As {@link #await}, and an interrupt is thrown on as it is. */
    EndedWait awaitInterruptibly(LockRequest request, AcquireSpec spec) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        warnOfWaiting(spec);
        FollowedCaller caller = FollowedCaller.begin(observer, request);
        Acquisition acquisition = engine.acquire(spec);
        try {
            AcquireOutcome outcome = acquisition.outcome().get();
            caller.answered(outcome, acquisition);
            return new EndedWait(outcome, caller);
        } catch (InterruptedException e) {
            acquisition.abandon();
            caller.answered(new AcquireOutcome.Abandoned(), acquisition);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an acquisition never completes exceptionally", e);
        }
    }

    /** Waits for the outcome whatever happens, and keeps the interrupt flag. */
    EndedWait awaitUninterruptibly(LockRequest request, AcquireSpec spec) {
        warnOfWaiting(spec);
        FollowedCaller caller = FollowedCaller.begin(observer, request);
        Acquisition acquisition = engine.acquire(spec);
        AcquireOutcome outcome = acquisition.outcome().join();
        caller.answered(outcome, acquisition);
        return new EndedWait(outcome, caller);
    }

    /** The calling thread's handle, or the exception that says why there is none. */
    GrantHandle granted(LockRequest request, AcquireSpec spec, EndedWait answer) {
        return grantedWithoutData(spec, answer).written(request);
    }

    /** As {@link #granted}, but leaves the data of the request to the caller. */
    GrantHandle grantedWithoutData(AcquireSpec spec, EndedWait answer) {
        boolean mayBeOwn = answer.outcome() instanceof AcquireOutcome.TimedOut
                && inTheWayOf(spec).findAny().isPresent();
        GrantHandle handle = handle(spec, answer.outcome(), answer.caller(), tellers, mayBeOwn);
        taken(handle.grant());
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

    // Which thread has acquired what: a wait for a lock that the thread holds itself is told as that. No more than
    // told,
    // because another thread may release the handle.

    /** Whether it is one of this registry, and held. */
    boolean areOf(Grant grant) {
        return engine.held(grant.key()).contains(grant);
    }

    /** The calling thread has taken the grant. */
    void taken(Grant grant) {
        grant.takenBy(Thread.currentThread().getId());
    }

    /** The calling thread has left the grant to others. */
    void left(Grant grant) {
        grant.takenBy(NO_THREAD);
    }

    private Stream<Grant> inTheWayOf(AcquireSpec spec) {
        long thread = Thread.currentThread().getId();
        return engine.held(spec.key()).stream()
                .filter(grant -> grant.takenBy() == thread && excludes(grant.kind(), spec.kind()));
    }

    /** Whether its longest hold is over before a wait that begins now would be. */
    private static boolean endsBefore(Grant grant, AcquireSpec spec) {
        Duration maxHold = grant.limits().maxHold();
        return maxHold != null && maxHold.minus(grant.held()).compareTo(spec.waitLimit()) < 0;
    }

    private static boolean excludes(Kind held, Kind wanted) {
        return held != Kind.PERMIT && wanted != Kind.PERMIT && (held != Kind.READ || wanted != Kind.READ);
    }

    private void warnOfWaiting(AcquireSpec spec) {
        if (!spec.waitLimit().isZero() && !inTheWayOf(spec).allMatch(grant -> endsBefore(grant, spec))) {
            log.warn(
                    "A thread waits for a lock in namespace {} that it has acquired before and not released yet, so it waits"
                            + " for itself, unless another thread releases it. Enter the lock by LockRegistry.lock() in the"
                            + " first place, or release it before.",
                    SafeText.quote(spec.key().namespace()));
        }
    }
}
