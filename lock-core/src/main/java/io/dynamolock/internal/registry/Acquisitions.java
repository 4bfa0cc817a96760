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
import io.dynamolock.internal.handles.HoldHere;
import io.dynamolock.internal.handles.UnawaitedReleases;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.threads.ObservedCaller;
import io.dynamolock.internal.threads.RegistryThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the engine for locks and waits for the outcomes: by a future, or on the calling thread, interruptibly or not.
 * Tells the observer about each caller. Thread-safe.
 */
public final class Acquisitions {

    private static final Logger log = LoggerFactory.getLogger(Acquisitions.class);

    /** The id of no thread, for a grant that no thread has taken. */
    private static final long NO_THREAD = 0;

    private final LockEngine engine;
    private final RegistryThreads.CallbackExecutors executors;
    private final Fences fences;
    private final UnawaitedReleases releases;

    /** The observer that is told about the callers; {@code null} if there is none. Set at most once. */
    private volatile @Nullable LockObserver observer;

    public Acquisitions(
            LockEngine engine,
            RegistryThreads.CallbackExecutors executors,
            Fences fences,
            UnawaitedReleases releases,
            @Nullable LockObserver observer) {
        this.engine = engine;
        this.executors = executors;
        this.fences = fences;
        this.releases = releases;
        this.observer = observer;
    }

    /** The executors that run users' callbacks. */
    RegistryThreads.CallbackExecutors executors() {
        return executors;
    }

    /**
     * Tells this observer about callers from now on, unless there is another observer already.
     *
     * @return whether this observer is told about callers now
     */
    boolean observe(LockObserver newObserver) {
        if (observer == null) {
            observer = newObserver;
        }
        return observer == newObserver;
    }

    /** Begins to acquire, without waiting. The data of the request is written before the future completes. */
    CompletableFuture<LockHandle> begin(LockRequest request, AcquireSpec spec) {
        return begin(spec, request.data().orElse(null), ObservedCaller.begin(observer, request), executors);
    }

    /** As {@link #begin(LockRequest, AcquireSpec)}, but leaves the data of the request to the caller. */
    CompletableFuture<LockHandle> beginWithoutData(LockRequest request, AcquireSpec spec) {
        return begin(spec, null, ObservedCaller.begin(observer, request), executors);
    }

    /** As {@link #beginWithoutData}, for a caller that no observer is told about. */
    public CompletableFuture<LockHandle> beginUnobserved(
            AcquireSpec spec, RegistryThreads.CallbackExecutors executorsOfCaller) {
        return begin(spec, null, ObservedCaller.UNOBSERVED, executorsOfCaller);
    }

    private CompletableFuture<LockHandle> begin(
            AcquireSpec spec,
            @Nullable LockData data,
            ObservedCaller caller,
            RegistryThreads.CallbackExecutors executorsOfCaller) {
        Acquisition acquisition = engine.acquire(spec);
        CompletableFuture<LockHandle> result = new CompletableFuture<>();
        result.whenComplete((handle, failure) -> {
            // The user has cancelled or completed the future. Without effect if the acquisition itself has failed.
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
                                GrantHandle handle = handle(spec, outcome, caller, executorsOfCaller, NO_THREAD);
                                deliver(handle, data, result);
                            } catch (Throwable e) {
                                result.completeExceptionally(e);
                            }
                        },
                        executorsOfCaller.async());
        return result;
    }

    /** Completes the future with the handle, after the data is written if there is any. */
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

    /**
     * Waits for the outcome. An interrupt, also one before the call, takes the caller out of the queue, and ends the
     * call with a {@link io.dynamolock.LockInterruptedException}.
     */
    EndedWait await(LockRequest request, AcquireSpec spec) {
        return await(request, spec, new CompletableFuture<>());
    }

    /**
     * As {@link #await(LockRequest, AcquireSpec)}.
     *
     * @param notWanted once this completes, the wait ends as {@linkplain AcquireOutcome.Abandoned abandoned}
     */
    EndedWait await(LockRequest request, AcquireSpec spec, CompletableFuture<Void> notWanted) {
        try {
            return awaitInterruptibly(request, spec, notWanted);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.interrupted(spec, e);
        }
    }

    /** As {@link #await}, but throws the interrupt as it is. */
    EndedWait awaitInterruptibly(LockRequest request, AcquireSpec spec) throws InterruptedException {
        return awaitInterruptibly(request, spec, new CompletableFuture<>());
    }

    private EndedWait awaitInterruptibly(LockRequest request, AcquireSpec spec, CompletableFuture<Void> notWanted)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        warnOfWaitForOneself(spec);
        ObservedCaller caller = ObservedCaller.begin(observer, request);
        Acquisition acquisition = engine.acquire(spec);
        notWanted.thenRun(() -> {
            // A lock that was granted already is the caller's to give back.
            if (!acquisition.outcome().isDone()) {
                acquisition.abandon();
            }
        });
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

    /** Waits for the outcome. An interrupt does not end the wait, and its flag is kept. */
    EndedWait awaitUninterruptibly(LockRequest request, AcquireSpec spec) {
        warnOfWaitForOneself(spec);
        ObservedCaller caller = ObservedCaller.begin(observer, request);
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
        GrantHandle handle = handle(
                spec,
                answer.outcome(),
                answer.caller(),
                executors,
                Thread.currentThread().getId());
        taken(handle.grant());
        return handle;
    }

    private static void giveBack(AcquireOutcome.Granted granted, ObservedCaller caller) {
        granted.grant().giveBack();
        caller.ended(true);
    }

    /** @param waited the id of the thread that has asked and waited; {@link #NO_THREAD} if none has */
    private GrantHandle handle(
            AcquireSpec spec,
            AcquireOutcome outcome,
            ObservedCaller caller,
            RegistryThreads.CallbackExecutors executorsOfCaller,
            long waited) {
        if (outcome instanceof AcquireOutcome.Granted granted) {
            try {
                return new GrantHandle(granted.grant(), executorsOfCaller, fences, releases, caller);
            } catch (Throwable e) {
                giveBack(granted, caller);
                throw e;
            }
        }
        throw Failures.of(
                outcome,
                spec,
                outcome instanceof AcquireOutcome.TimedOut late ? holdInTheWayOf(spec, waited, late.waited()) : null);
    }

    // Each grant knows which thread has acquired it. If a thread waits for a lock that it holds itself, a warning is
    // logged. The thread is not refused, because another thread may release the handle.

    /** Whether this registry holds the grant. */
    boolean isHeld(Grant grant) {
        return engine.held(grant.key()).contains(grant);
    }

    /** Notes that the calling thread has the grant. */
    void taken(Grant grant) {
        grant.takenBy(Thread.currentThread().getId());
    }

    /** Notes that no thread has the grant: the calling thread has disowned it, and another thread may take it. */
    void left(Grant grant) {
        grant.takenBy(NO_THREAD);
    }

    /** The grants of the calling thread that keep it from getting this lock. */
    private Stream<Grant> ownInTheWayOf(AcquireSpec spec) {
        long thread = Thread.currentThread().getId();
        return inTheWayOf(spec).filter(grant -> grant.takenBy() == thread);
    }

    /** The grants of this registry that keep others from getting this lock. */
    private Stream<Grant> inTheWayOf(AcquireSpec spec) {
        return engine.held(spec.key()).stream().filter(grant -> excludes(grant.kind(), spec.kind()));
    }

    /**
     * The hold of this registry that has kept a caller from this lock, if possible of the thread that has asked. A
     * caller that waits for its own caller meets one hold during all of its wait; a caller that was not to wait has
     * waited for nobody.
     */
    private @Nullable HoldHere holdInTheWayOf(AcquireSpec spec, long waited, Duration wait) {
        boolean hasWaited = !spec.waitLimit().isZero();
        List<HoldHere> holds = inTheWayOf(spec)
                .filter(grant ->
                        isOf(waited, grant) || hasWaited && grant.held().compareTo(wait) >= 0)
                .map(grant -> new HoldHere(isOf(waited, grant), grant.spec().caller()))
                .toList();
        return holds.stream()
                .filter(HoldHere::isOfThisThread)
                .findFirst()
                .orElse(holds.isEmpty() ? null : holds.get(0));
    }

    private static boolean isOf(long thread, Grant grant) {
        return thread != NO_THREAD && grant.takenBy() == thread;
    }

    /** Whether the grant's longest hold ends before a wait that begins now. */
    private static boolean endsBefore(Grant grant, AcquireSpec spec) {
        Duration maxHold = grant.limits().maxHold();
        return maxHold != null && maxHold.minus(grant.held()).compareTo(spec.waitLimit()) < 0;
    }

    private static boolean excludes(Kind held, Kind wanted) {
        return held != Kind.PERMIT && wanted != Kind.PERMIT && (held != Kind.READ || wanted != Kind.READ);
    }

    private void warnOfWaitForOneself(AcquireSpec spec) {
        if (!spec.waitLimit().isZero() && !ownInTheWayOf(spec).allMatch(grant -> endsBefore(grant, spec))) {
            log.warn(
                    "A thread waits for a lock in namespace {} that it has acquired before and not released yet, so it waits"
                            + " for itself, unless another thread releases it. Enter the lock by LockRegistry.lock() in the"
                            + " first place, or release it before.",
                    SafeText.quote(spec.key().namespace()));
        }
    }
}
