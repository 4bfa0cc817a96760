package io.dynamolock.internal.handles;

import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.threads.FollowedCaller;
import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.threads.RegistryThreads;
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
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * A handle on a grant. The engine knows the grant for as long as it lasts, and must not know the handle: a handle that
 * its user dropped is to be garbage collected, callbacks and all, and the grant then released.
 */
public final class GrantHandle implements LockHandle {

    private static final Logger log = LoggerFactory.getLogger(GrantHandle.class);

    /** One thread for all registries, started with the first of them. */
    private static final Cleaner CLEANER = Cleaner.create();

    /** What has become of a handle: HELD becomes one of the others, once. */
    enum Use {
        HELD,
        RELEASED,
        /** Its grant goes on by the handle of {@link #downgrade()}. */
        GOES_ON
    }

    private final Grant grant;
    private final RegistryThreads.Tellers tellers;
    private final Fences fences;
    /** Known by the handle alone: the grant must not know them, for they may know the handle. */
    private final Collection<Runnable> callbacks = new ConcurrentLinkedQueue<>();

    private final AtomicReference<Use> use = new AtomicReference<>(Use.HELD);
    private final Cleaner.Cleanable dropped;

    /** Follows another handle of the same grant once it goes on by that. */
    private volatile FollowedCaller caller;

    /** The thread that has entered the lock by this handle, and was given it for that. */
    private volatile @Nullable Thread lockedBy;

    /** Releases the grant of a handle that was garbage collected without being closed. Knows everything but the handle. */
    private record Dropped(Grant grant, AtomicReference<Use> use, Runnable told) implements Runnable {

        @Override
        public void run() {
            if (use.compareAndSet(Use.HELD, Use.RELEASED)) {
                boolean wasHeld = grant.isValid();
                grant.release();
                // A lock that was lost, or whose registry is closed, needs nobody to release it.
                if (wasHeld) {
                    log.warn(
                            "A lock handle in namespace {} (fencing token {}) was dropped without being closed; the lock is"
                                    + " released now. Close every handle, best with try-with-resources.",
                            SafeText.quote(grant.key().namespace()),
                            grant.ticket());
                    log.debug(
                            "The dropped handle was for key {}",
                            SafeText.quote(grant.key().key()));
                }
                told.run();
            }
        }
    }

    /** Starts the thread: without room for it, no registry is better than one that can hand out no lock. */
    public static void startCleaner() {
        // The thread starts when this class is loaded.
    }

    public GrantHandle(Grant grant, RegistryThreads.Tellers tellers, Fences fences, FollowedCaller caller) {
        this.grant = grant;
        this.tellers = tellers;
        this.fences = fences;
        this.caller = caller;
        this.dropped = CLEANER.register(this, new Dropped(grant, use, follow(grant, tellers, caller)));
    }

    /** @return to be run if the handle is dropped */
    private static Runnable follow(Grant grant, RegistryThreads.Tellers tellers, FollowedCaller caller) {
        if (!caller.isFollowed()) {
            return () -> {};
        }
        grant.onLost(() -> tellers.losses().execute(() -> caller.ended(false)));
        return () -> tellers.async().execute(() -> caller.ended(true));
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

    /** Why the lock was lost, for the middle of a sentence; empty if another registry made the handle. */
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
        // What is longer is no limit, and adding it could overflow.
        Duration longest = Requests.CENTURY.plusNanos(1);
        Duration by = extension.compareTo(longest) < 0 ? extension : longest;
        changeLimits(request -> request.maxHold()
                .map(maxHold -> request.maxHold(maxHold.plus(by)))
                .orElse(request));
    }

    @Override
    public void setHoldAtLeast(Duration holdAtLeast) {
        changeLimits(request -> request.holdAtLeast(holdAtLeast));
    }

    /** The rules are those of a request. */
    private void changeLimits(UnaryOperator<LockRequest> change) {
        boolean isChanged = false;
        while (!isChanged) {
            ensureValid();
            HoldLimits before = grant.limits();
            LockRequest after = change.apply(Requests.within(grant.key(), before));
            isChanged = grant.limit(before, Requests.limits(after));
        }
    }

    /** The thread that entered the lock through {@code LockRegistry.lock()} and got this handle for it, until it has left. */
    public @Nullable Thread lockedBy() {
        return lockedBy;
    }

    public void setLockedBy(@Nullable Thread thread) {
        lockedBy = thread;
    }

    /** Whether its user has given it back. */
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
            // Another thread was faster.
            throw over();
        }
        dropped.clean();
        FollowedCaller follower = caller;
        caller = FollowedCaller.UNSEEN;
        return new GrantHandle(grant, tellers, fences, follower);
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
        return Futures.of(() -> put.thenRunAsync(() -> {}, tellers.async()));
    }

    /** Writes the {@linkplain LockRequest#data data of a request}, if there is some; without it the lock is released. */
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

    /** Completes on the event loop. */
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

    /** @param lock what has become of the lock after an interrupt */
    private void await(CompletableFuture<Void> written, String lock) {
        Futures.await(
                written,
                interrupt -> interrupted(
                        "was getting its data; that may be written, and the lock is " + lock + ".", interrupt));
    }

    /** Among several that hold a lock, nobody could say whose data counts. */
    private void requireToBeAlone() {
        if (!grant.kind().isAlone()) {
            throw new UnsupportedOperationException("The data of the " + describe()
                    + " cannot be written by a reader or under a permit, only by a caller that holds the lock alone, for"
                    + " example with acquire(key, wait) or readWrite(key).write().");
        }
    }

    private String describe() {
        return LockNames.describe(grant.key());
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

    /** What the grant may know. */
    private Runnable weakly(Runnable callback) {
        callbacks.add(Objects.requireNonNull(callback, "callback"));
        return weakly(new WeakReference<>(callback), tellers.losses(), use);
    }

    /** Once the grant goes on by another handle, nothing more is told. */
    private static Runnable weakly(WeakReference<Runnable> callback, Executor teller, AtomicReference<Use> use) {
        return () -> {
            Runnable known = callback.get();
            if (known != null && use.get() != Use.GOES_ON) {
                teller.execute(() -> tell(known));
            }
        };
    }

    private static void tell(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            log.error("A callback for a lost lock failed", e);
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
        try {
            return ended(answer.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ended(grant.loss().isEmpty());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a release never completes exceptionally", e);
        }
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        return startRelease().thenApplyAsync(this::ended, tellers.async()).copy();
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync(LockData data) {
        return startRelease(data).thenApplyAsync(this::ended, tellers.async()).copy();
    }

    @Override
    public void close() {
        release();
    }

    /** Completes on the event loop. */
    CompletableFuture<Boolean> startRelease() {
        return released(Grant::release);
    }

    /** As {@link #startRelease()}, of a lock under which nothing has run: there is nothing to keep it for. */
    public CompletableFuture<Boolean> giveBack() {
        CompletableFuture<Boolean> givenBack = released(Grant::giveBack);
        givenBack.thenAcceptAsync(this::ended, tellers.async());
        return givenBack;
    }

    private CompletableFuture<Boolean> startRelease(LockData data) {
        try {
            Objects.requireNonNull(data, "data");
            requireToBeAlone();
        } catch (RuntimeException refused) {
            // Whoever leaves data wants the lock released, most likely at the end of a section.
            releaseAsync();
            throw refused;
        }
        return released(held -> held.release(data));
    }

    private boolean ended(boolean stillOurs) {
        caller.ended(stillOurs);
        return stillOurs;
    }

    /** Completes on the event loop. */
    private CompletableFuture<Boolean> released(Function<Grant, CompletableFuture<Boolean>> release) {
        if (!use.compareAndSet(Use.HELD, Use.RELEASED) && goesOn()) {
            return CompletableFuture.completedFuture(true);
        }
        dropped.clean();
        return release.apply(grant).thenApply(stillOurs -> {
            // A loss may turn out only now, and the user may keep the handle with its callbacks no longer.
            Reference.reachabilityFence(this);
            return stillOurs;
        });
    }

    @Override
    public String toString() {
        return "LockHandle[key=" + key() + ", namespace=" + namespace() + ", fencingToken=" + fencingToken()
                + ", valid=" + isValid() + "]";
    }
}
