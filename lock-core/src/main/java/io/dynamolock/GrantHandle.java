package io.dynamolock;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.Grant;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * A handle on a grant. The engine knows the grant for as long as it lasts, and must not know the handle: a handle that
 * its user dropped is to be garbage collected, callbacks and all, and the grant then released.
 */
final class GrantHandle implements LockHandle {

    private final Grant grant;
    private final RegistryThreads.Tellers tellers;
    private final Fences fences;
    private final HandleCallbacks callbacks;
    private final AtomicBoolean released = new AtomicBoolean();
    private final Cleaner.Cleanable dropped;

    /** Its grant goes on by the handle of {@link #downgrade()}. */
    private volatile boolean goesOn;

    /** Follows another handle of the same grant once it goes on by that. */
    private volatile FollowedCaller caller;

    /** The thread that has entered the lock by this handle, and was given it for that. */
    volatile @Nullable Thread lockedBy;

    GrantHandle(Grant grant, RegistryThreads.Tellers tellers, Fences fences) {
        this(grant, tellers, fences, FollowedCaller.UNSEEN);
    }

    GrantHandle(Grant grant, RegistryThreads.Tellers tellers, Fences fences, FollowedCaller caller) {
        this.grant = grant;
        this.tellers = tellers;
        this.fences = fences;
        this.caller = caller;
        this.callbacks = new HandleCallbacks(grant, tellers);
        this.dropped = DroppedHandles.watch(this, grant, released, follow(grant, tellers, caller));
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
        return !released.get() && grant.isValid();
    }

    @Override
    public Duration remainingValidity() {
        return released.get() ? Duration.ZERO : grant.remaining();
    }

    @Override
    public void ensureValid() {
        if (released.get() && !callbacks.knowOfLoss()) {
            throw over();
        }
        if (!isValid()) {
            throw lostBefore();
        }
    }

    private LockLostException over() {
        return lostException(
                goesOn
                        ? "goes on as a reader, by the handle that downgrade() has returned."
                        : "was released by this handle already; it is not held any more.");
    }

    private LockLostException lostBefore() {
        return lostException("was lost: " + Losses.cause(grant) + ". Another caller may hold it now.");
    }

    Grant grant() {
        return grant;
    }

    @Override
    public Duration held() {
        return grant.held();
    }

    @Override
    public void setMaxHold(Duration maxHold) {
        HandleLimits.change(this, grant, request -> request.maxHold(maxHold));
    }

    @Override
    public void setHoldAtLeast(Duration holdAtLeast) {
        HandleLimits.change(this, grant, request -> request.holdAtLeast(holdAtLeast));
    }

    /** Whether its user has given it back. */
    boolean isReleased() {
        return released.get();
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
        if (!released.compareAndSet(false, true)) {
            // Another thread was faster.
            throw over();
        }
        goesOn = true;
        callbacks.end();
        dropped.clean();
        FollowedCaller follower = caller;
        caller = FollowedCaller.UNSEEN;
        return new GrantHandle(grant, tellers, fences, follower);
    }

    private boolean isReaderNow() {
        try {
            return grant.downgrade().get();
        } catch (IllegalStateException e) {
            throw new UnsupportedOperationException(
                    "The " + LockNames.describe(key(), namespace())
                            + " cannot go on as a reader: only a handle from readWrite(key).write() can, because its caller shares"
                            + " its entry in the queue with nobody.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(
                    key(),
                    namespace(),
                    "Interrupted while the " + LockNames.describe(key(), namespace())
                            + " was going on as a reader; it may be read-only from now on, and is still held by this handle.",
                    e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a downgrade never completes exceptionally", e);
        }
    }

    @Override
    public LockData data() {
        return grant.data();
    }

    @Override
    public void putData(LockData data) {
        HandleData.await(this, startPut(data), "still held");
    }

    @Override
    public CompletableFuture<Void> putDataAsync(LockData data) {
        return startPut(data).thenApplyAsync(written -> written, tellers.async());
    }

    /** Completes on the event loop. */
    CompletableFuture<Void> startPut(LockData data) {
        Objects.requireNonNull(data, "data");
        HandleData.requireToBeAlone(grant);
        ensureValid();
        return HandleData.put(this, grant, data);
    }

    @Override
    public void onExpiring(Duration before, Runnable callback) {
        callbacks.onExpiring(before, callback);
    }

    LockLostException lostException(String whatHappened) {
        return new LockLostException(key(), namespace(), fencingToken(), whatHappened);
    }

    @Override
    public void onLost(Runnable callback) {
        callbacks.onLost(callback);
    }

    @Override
    public boolean release() {
        return ended(await(isValid(), startRelease()));
    }

    @Override
    public boolean release(LockData left) {
        return ended(await(isValid(), startRelease(left)));
    }

    private static boolean await(boolean wasValid, CompletableFuture<Boolean> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return wasValid;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a release never completes exceptionally", e);
        }
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        return startRelease().thenApplyAsync(this::ended, tellers.async());
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync(LockData left) {
        return startRelease(left).thenApplyAsync(this::ended, tellers.async());
    }

    @Override
    public void close() {
        release();
    }

    /**
     * Completes on the event loop. That the lock was lost may turn out only here; until the answer, the handle and its
     * callbacks are kept by the future, for their user may keep them no longer.
     */
    CompletableFuture<Boolean> startRelease() {
        return released(Grant::release);
    }

    /** As {@link #releaseAsync()}, of a lock under which nothing has run: there is nothing to keep it for. */
    CompletableFuture<Boolean> giveBack() {
        return released(Grant::giveBack).thenApplyAsync(this::ended, tellers.async());
    }

    private CompletableFuture<Boolean> startRelease(LockData left) {
        try {
            Objects.requireNonNull(left, "left");
            HandleData.requireToBeAlone(grant);
        } catch (RuntimeException refused) {
            // Whoever leaves data wants the lock released, most likely at the end of a section.
            startRelease();
            throw refused;
        }
        return released(held -> held.release(left));
    }

    private boolean ended(boolean stillOurs) {
        caller.ended(stillOurs);
        return stillOurs;
    }

    private CompletableFuture<Boolean> released(Function<Grant, CompletableFuture<Boolean>> release) {
        if (goesOn) {
            return CompletableFuture.completedFuture(true);
        }
        released.set(true);
        dropped.clean();
        return release.apply(grant).thenApply(stillOurs -> {
            if (!stillOurs) {
                callbacks.lost();
            }
            return stillOurs;
        });
    }

    @Override
    public String toString() {
        return "LockHandle[key=" + key() + ", namespace=" + namespace() + ", fencingToken=" + fencingToken()
                + ", valid=" + isValid() + "]";
    }
}
