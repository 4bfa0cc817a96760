package io.dynamolock.internal.handles;

import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.SafeFailure;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.threads.ObservedCaller;
import io.dynamolock.internal.threads.RegistryThread;
import io.dynamolock.internal.threads.RegistryThreads;
import io.dynamolock.internal.time.Durations;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * A handle on a grant. The engine refers to the grant for as long as the grant lasts, but must not refer to the handle:
 * if the user drops the handle, it is garbage collected with its callbacks, and the grant is released. Thread-safe.
 */
public final class GrantHandle implements DescribedHandle {

    private static final Logger log = LoggerFactory.getLogger(GrantHandle.class);

    /** Has one thread for all registries, started with the first registry. */
    private static final Cleaner CLEANER = Cleaner.create();

    /** What has become of a handle. The only changes are from HELD to RELEASED and from HELD to GOES_ON. */
    enum Use {
        HELD,
        RELEASED,
        /** The grant goes on by the handle that {@link #downgrade()} has returned. */
        GOES_ON
    }

    private final Grant grant;
    private final RegistryThreads.CallbackExecutors executors;
    private final Fences fences;
    private final UnawaitedReleases releases;
    /** The callbacks, which may refer to the handle. So the grant refers to them only weakly. */
    private final Collection<Runnable> callbacks = new ConcurrentLinkedQueue<>();

    private final AtomicReference<Use> use = new AtomicReference<>(Use.HELD);
    private final Cleaner.Cleanable dropped;

    /** The caller whose observer hears of the end of the hold. After {@link #downgrade()}, the new handle tells it. */
    private volatile ObservedCaller caller;

    /** See {@link #lockedBy()}. */
    private volatile @Nullable Thread lockedBy;

    /**
     * Releases the grant of a handle that was garbage collected without being closed. Must not refer to the handle.
     *
     * @param onDrop run after the release
     */
    private record Dropped(Grant grant, AtomicReference<Use> use, Runnable onDrop) implements Runnable {

        @Override
        public void run() {
            if (use.compareAndSet(Use.HELD, Use.RELEASED)) {
                boolean wasHeld = grant.isValid();
                grant.release();
                // No warning for a lock that was lost, or a registry that is closed: there was nothing left to release.
                if (wasHeld) {
                    log.warn(
                            "A lock handle in namespace {} (fencing token {}) was dropped without being closed; the lock is"
                                    + " released now. Close every handle, best with try-with-resources.",
                            SafeText.quote(grant.key().namespace()),
                            grant.ticket());
                    log.debug(
                            "The dropped handle was for key {}",
                            LockNames.key(grant.key().key(), grant.key().namespace()));
                }
                onDrop.run();
            }
        }
    }

    /**
     * Starts the cleaner's thread. If there is no room for a thread, it is better to fail now than at the first lock.
     */
    public static void startCleaner() {
        // The cleaner is made when this class is initialized, and makes its thread then.
    }

    public GrantHandle(
            Grant grant,
            RegistryThreads.CallbackExecutors executors,
            Fences fences,
            UnawaitedReleases releases,
            ObservedCaller caller) {
        this.grant = grant;
        this.executors = executors;
        this.fences = fences;
        this.releases = releases;
        this.caller = caller;
        this.dropped = CLEANER.register(this, new Dropped(grant, use, tellOfEnd(grant, executors, caller)));
    }

    /**
     * Lets the caller's observer hear of a loss.
     *
     * @return tells the observer of the release; to be run for a handle that was dropped
     */
    private static Runnable tellOfEnd(Grant grant, RegistryThreads.CallbackExecutors executors, ObservedCaller caller) {
        if (!caller.isObserved()) {
            return () -> {};
        }
        grant.onLost(() -> executors.losses().execute(() -> caller.ended(false)));
        return () -> executors.async().execute(() -> caller.ended(true));
    }

    @Override
    public String key() {
        return grant.key().key();
    }

    @Override
    public String namespace() {
        return grant.key().namespace();
    }

    @Override
    public long fencingToken() {
        return grant.ticket();
    }

    @Override
    public boolean isValid() {
        return !isReleased() && grant.isValid();
    }

    @Override
    public Duration remainingValidity() {
        return isReleased() ? Duration.ZERO : grant.remaining();
    }

    @Override
    public void ensureValid() {
        if (goesOn() || isReleased() && grant.loss().isEmpty()) {
            throw over();
        }
        if (!isValid()) {
            throw lostBefore();
        }
    }

    private LockLostException over() {
        return lostException(
                goesOn()
                        ? "goes on as a reader, by the handle that downgrade() has returned."
                        : "was released by this handle already; it is not held any more.");
    }

    private LockLostException lostBefore() {
        return lostException("was lost: " + Failures.lossOf(grant) + ". Another caller may hold it now.");
    }

    /** Why the lock was lost, for the middle of a sentence; an empty text for a handle of another implementation. */
    public static String because(LockHandle handle) {
        return handle instanceof GrantHandle granted ? ": " + Failures.lossOf(granted.grant) : "";
    }

    public Grant grant() {
        return grant;
    }

    @Override
    public Duration held() {
        return grant.held();
    }

    @Override
    public void setMaxHold(Duration maxHold) {
        changeLimits(request -> request.maxHold(maxHold));
    }

    @Override
    public void extendBy(Duration extension) {
        if (extension.isNegative() || extension.isZero()) {
            throw new IllegalArgumentException(
                    "extension must be more than zero, but was " + extension + " for " + describe() + ".");
        }
        // More than a century is no limit, and to add it could overflow.
        Duration longest = Durations.CENTURY.plusNanos(1);
        Duration bounded = extension.compareTo(longest) < 0 ? extension : longest;
        changeLimits(request -> request.maxHold()
                .map(maxHold -> request.maxHold(maxHold.plus(bounded)))
                .orElse(request));
    }

    @Override
    public void setHoldAtLeast(Duration holdAtLeast) {
        changeLimits(request -> request.holdAtLeast(holdAtLeast));
    }

    /**
     * Changes the limits of the hold by the rules of a request. Tries again if another thread has changed them
     * meanwhile.
     */
    private void changeLimits(UnaryOperator<LockRequest> change) {
        boolean isChanged = false;
        while (!isChanged) {
            ensureValid();
            HoldLimits before = grant.limits();
            LockRequest after = change.apply(Requests.within(grant.key(), before));
            isChanged = grant.limit(before, Requests.limits(after));
        }
    }

    /**
     * The thread that entered the lock through {@code LockRegistry.lock()} and got this handle for it, until it has
     * left.
     */
    public @Nullable Thread lockedBy() {
        return lockedBy;
    }

    public void setLockedBy(@Nullable Thread thread) {
        lockedBy = thread;
    }

    /** Whether the user has given this handle back, by a release or by a downgrade. */
    public boolean isReleased() {
        return use.get() != Use.HELD;
    }

    private boolean goesOn() {
        return use.get() == Use.GOES_ON;
    }

    @Override
    public ConditionCheck fence() {
        Fences.requireToBeHeldAlone(grant);
        ensureValid();
        return fences.of(grant.key(), grant.fence().orElseThrow(this::lostBefore));
    }

    @Override
    public LockHandle downgrade() {
        ensureValid();
        if (!isReaderNow()) {
            throw lostBefore();
        }
        if (!use.compareAndSet(Use.HELD, Use.GOES_ON)) {
            // Another thread has released or downgraded this handle meanwhile.
            throw over();
        }
        dropped.clean();
        ObservedCaller observed = caller;
        caller = ObservedCaller.UNOBSERVED;
        return new GrantHandle(grant, executors, fences, releases, observed);
    }

    private boolean isReaderNow() {
        CompletableFuture<Boolean> isReader;
        try {
            isReader = grant.downgrade();
        } catch (IllegalStateException e) {
            throw new UnsupportedOperationException(
                    "The " + describe()
                            + " cannot go on as a reader: only a handle from readWrite(key).write() or of a"
                            + " downgradable() request can, because its caller shares its entry in the queue with nobody.",
                    e);
        }
        return Futures.await(
                isReader,
                interrupt -> interrupted(
                        "was going on as a reader; it may be read-only from now on, and is still held by this handle.",
                        interrupt));
    }

    private LockInterruptedException interrupted(String what, InterruptedException cause) {
        return new LockInterruptedException(
                key(), namespace(), "Interrupted while the " + describe() + " " + what, cause);
    }

    @Override
    public LockData data() {
        return grant.data();
    }

    @Override
    public void putData(LockData data) {
        await(startPut(data), "still held");
    }

    @Override
    public CompletableFuture<Void> putDataAsync(LockData data) {
        CompletableFuture<Void> put = startPut(data);
        return Futures.of(() -> put.thenRunAsync(() -> {}, executors.async()));
    }

    /** Writes the {@linkplain LockRequest#data data of a request}, if it has any. If that fails, releases the lock. */
    public GrantHandle written(LockRequest request) {
        try {
            LockData data = request.data().orElse(null);
            if (data != null) {
                await(startPut(data), "released");
            }
            return this;
        } catch (RuntimeException failure) {
            giveBack();
            throw failure;
        }
    }

    /** Begins to write the data. The future is completed on the event loop. */
    public CompletableFuture<Void> startPut(LockData data) {
        Objects.requireNonNull(data, "data");
        requireToBeAlone();
        ensureValid();
        return Futures.of(() -> grant.putData(data).handle((isWritten, failure) -> {
            if (failure instanceof StoreFailure refused) {
                throw Failures.ofStore(grant.key(), "Writing the data of the " + describe() + " failed", refused);
            }
            if (!isWritten) {
                throw lostException("was lost or released before its data was known to be written.");
            }
            return null;
        }));
    }

    /** @param lockAfterInterrupt what has become of the lock after an interrupt, for a message */
    private void await(CompletableFuture<Void> written, String lockAfterInterrupt) {
        Futures.await(
                written,
                interrupt -> interrupted(
                        "was getting its data; that may be written, and the lock is " + lockAfterInterrupt + ".",
                        interrupt));
    }

    /** Refuses to write data for a caller that holds the lock beside others, because it would overwrite their data. */
    private void requireToBeAlone() {
        if (!grant.kind().isAlone()) {
            throw new UnsupportedOperationException("The data of the " + describe()
                    + " cannot be written by a reader or under a permit, only by a caller that holds the lock alone, for"
                    + " example with acquire(key, wait) or readWrite(key).write().");
        }
    }

    @Override
    public String describe() {
        return LockNames.describe(grant.key(), grant.spec().name());
    }

    @Override
    public void onExpiring(Duration before, Runnable callback) {
        Objects.requireNonNull(before, "before");
        grant.onExpiring(before, weakly(callback));
    }

    public LockLostException lostException(String whatHappened) {
        return new LockLostException(this, whatHappened, null);
    }

    @Override
    public void onLost(Runnable callback) {
        grant.onLost(weakly(callback));
    }

    /** Keeps the callback, and gives the grant a weak reference to it. */
    private Runnable weakly(Runnable callback) {
        callbacks.add(Objects.requireNonNull(callback, "callback"));
        return weakly(new WeakReference<>(callback), executors.losses(), use);
    }

    /** Tells nothing once the grant goes on by another handle. */
    private static Runnable weakly(WeakReference<Runnable> callback, Executor executor, AtomicReference<Use> use) {
        return () -> {
            Runnable reachable = callback.get();
            if (reachable != null && use.get() != Use.GOES_ON) {
                executor.execute(() -> tell(reachable));
            }
        };
    }

    private static void tell(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            log.error("A callback for a lost lock failed", SafeFailure.of(e));
        }
    }

    @Override
    public boolean release() {
        return await(startRelease());
    }

    @Override
    public boolean release(LockData data) {
        return await(startRelease(data));
    }

    private boolean await(CompletableFuture<Boolean> answer) {
        return await(answer, () -> ended(grant.loss().isEmpty()));
    }

    private boolean await(CompletableFuture<Boolean> answer, BooleanSupplier whenInterrupted) {
        try {
            return ended(answer.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return whenInterrupted.getAsBoolean();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a release never completes exceptionally", e);
        }
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        return startRelease().thenApplyAsync(this::ended, executors.async()).copy();
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync(LockData data) {
        return startRelease(data).thenApplyAsync(this::ended, executors.async()).copy();
    }

    @Override
    public void close() {
        release();
    }

    // A section of code that runs under a lock ends without waiting for the release, so that the release costs its
    // caller no time. A loss that is known by then is the caller's result. A loss that only the answer to the release
    // shows is told by the callbacks of onLost, by the listeners, and by a warning.

    /**
     * Releases the lock at the end of the section of code that ran under it. Waits for the release if the request says
     * so, if the lock has a shortest hold, if the code has released it already, or if too many releases are under way.
     * An interrupt ends the waiting, and the release goes on as one that nobody awaits.
     *
     * @return whether this handle still held the lock, as far as that is known
     */
    public boolean endSection() {
        return beginEndOfSection().getAsBoolean();
    }

    /**
     * Begins the release as {@link #endSection()} does, so that a caller with several locks can begin all releases
     * before it waits for the first.
     *
     * @return waits for the release if {@link #endSection()} does, and answers as that method does; to be called once
     */
    public BooleanSupplier beginEndOfSection() {
        if (!isAwaited()) {
            // A thread of the registry tells others what has become of their locks, so it must not wait.
            if (Thread.currentThread() instanceof RegistryThread) {
                releases.beginInAnyCase();
                return asKnownNow(releaseUnawaited());
            }
            if (releases.tryBegin()) {
                return asKnownNow(releaseUnawaited());
            }
        }
        CompletableFuture<Boolean> answer = startRelease();
        return () -> await(answer, () -> {
            releases.beginInAnyCase();
            return goOn(answer);
        });
    }

    private static BooleanSupplier asKnownNow(boolean stillOurs) {
        return () -> stillOurs;
    }

    /**
     * As {@link #endSection()}, without blocking. The future never completes exceptionally. If it is not complete at
     * once, its continuations run where those of {@link #releaseAsync()} do.
     */
    public CompletableFuture<Boolean> endSectionAsync() {
        // What follows a loss must not run on the thread that tells of the loss.
        return isAwaited() || !isValid() || !releases.tryBegin()
                ? releaseAsync()
                : CompletableFuture.completedFuture(releaseUnawaited());
    }

    private boolean isAwaited() {
        Duration holdAtLeast = grant.limits().holdAtLeast();
        return isReleased() || grant.spec().release().isAwaited() || holdAtLeast != null && !holdAtLeast.isZero();
    }

    /**
     * Begins the release, which {@link #releases} knows of.
     *
     * @return false if the lock is known to be lost
     */
    private boolean releaseUnawaited() {
        return goOn(released(Grant::releaseUnawaited));
    }

    /**
     * Lets the caller go on before the answer to a release that {@link #releases} knows of.
     *
     * @return false if the lock is known to be lost
     */
    private boolean goOn(CompletableFuture<Boolean> answer) {
        answer.whenComplete((stillOurs, never) -> releases.end());
        if (answer.isDone()) {
            return ended(answer.join());
        }
        // Another thread may be about to answer that it has found the lock lost.
        if (grant.loss().isPresent()) {
            return ended(false);
        }
        answer.thenAccept(stillOurs -> {
            if (!stillOurs) {
                warnOfLoss(this);
            }
        });
        if (caller.isObserved()) {
            answer.thenAcceptAsync(this::ended, executors.async());
        }
        return true;
    }

    /**
     * Warns of a loss that only the answer to the release has shown and that no exception tells. Does not warn of the
     * locks that a registry has lost because it is closed or paused: it loses them on purpose.
     */
    public static void warnOfLoss(LockHandle handle) {
        if (handle instanceof GrantHandle granted
                && granted.grant.loss().map(LossReason::isOwnWish).orElse(true)) {
            return;
        }
        log.warn(
                "A lock in namespace {} (fencing token {}) was lost before its release took effect{}. Its caller got no"
                        + " exception, and another caller may have held the lock at the same time: check the work of"
                        + " both. To have withLock throw a LockLostException then, set awaitRelease.",
                SafeText.quote(handle.namespace()),
                handle.fencingToken(),
                because(handle));
        log.debug(
                "The lock that was lost before its release took effect: key {}",
                LockNames.key(handle.key(), handle.namespace()));
    }

    /** Begins the release. The future is completed on the event loop. */
    CompletableFuture<Boolean> startRelease() {
        return released(Grant::release);
    }

    /** As {@link #startRelease()}, but nothing has run under the lock: its shortest hold does not count. */
    public CompletableFuture<Boolean> giveBack() {
        CompletableFuture<Boolean> givenBack = released(Grant::giveBack);
        givenBack.thenAcceptAsync(this::ended, executors.async());
        return givenBack;
    }

    private CompletableFuture<Boolean> startRelease(LockData data) {
        try {
            Objects.requireNonNull(data, "data");
            requireToBeAlone();
        } catch (RuntimeException refused) {
            // The data cannot be written, but the caller wants the lock released, most likely at the end of a section.
            releaseAsync();
            throw refused;
        }
        return released(held -> held.release(data));
    }

    private boolean ended(boolean stillOurs) {
        caller.ended(stillOurs);
        return stillOurs;
    }

    /** Ends the use of this handle, and begins the release. The future is completed on the event loop. */
    private CompletableFuture<Boolean> released(Function<Grant, CompletableFuture<Boolean>> release) {
        if (!use.compareAndSet(Use.HELD, Use.RELEASED) && goesOn()) {
            return CompletableFuture.completedFuture(true);
        }
        dropped.clean();
        return release.apply(grant).thenApply(stillOurs -> {
            // Keeps the handle, with its callbacks, until here: the answer may show a loss, and the user may have
            // dropped the handle.
            Reference.reachabilityFence(this);
            return stillOurs;
        });
    }

    @Override
    public String toString() {
        return "LockHandle[key=" + LockNames.text(key(), namespace()) + ", namespace=" + namespace() + ", fencingToken="
                + fencingToken() + ", valid=" + isValid() + "]";
    }
}
