package io.dynamolock.spring.unlocked;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.Internals;
import io.dynamolock.internal.handles.DescribedHandle;
import io.dynamolock.internal.text.SafeFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/** A handle on a lock that excludes nobody. It is lost only when the registry is closed. */
final class UnlockedHandle implements DescribedHandle {

    private static final Logger LOG = LoggerFactory.getLogger(UnlockedHandle.class);

    /** The remaining validity that every valid handle shows, although no time ends its hold. */
    private static final Duration VALIDITY = Duration.ofDays(1);

    private enum State {
        HELD,
        RELEASED,
        /** {@link #downgrade()} has returned another handle, which now holds the lock. */
        DOWNGRADED,
        LOST
    }

    private final long fencingToken;
    private final Instant since;
    private final String caller;
    /** Whether the request was for the whole lock, so that the holder may write data. */
    private final boolean alone;

    private final LongSupplier nanoTime;
    private final long grantedAt;
    private final Executor callbacks;
    /** All valid handles of the registry, this one included while it is held. */
    private final Set<UnlockedHandle> valid;

    // Guarded by this.

    private State state = State.HELD;
    /** The request for the lock, with the limits of the hold as last set. */
    private LockRequest request;
    /** The data that this handle has written last. */
    private LockData data;
    /** When the state stopped being HELD; without meaning while it is HELD. */
    private long endedAt;
    /** Callbacks to run when the lock is lost. Cleared when the hold ends. */
    private final List<Runnable> lossCallbacks = new ArrayList<>(0);

    /** @param valid all valid handles of the registry; this handle removes itself when it ends */
    UnlockedHandle(
            LockRequest request,
            long fencingToken,
            Instant since,
            boolean alone,
            LongSupplier nanoTime,
            Executor callbacks,
            Set<UnlockedHandle> valid) {
        this.request = request;
        this.fencingToken = fencingToken;
        this.since = since;
        this.caller = request.caller().orElseGet(() -> Thread.currentThread().getName());
        this.alone = alone;
        this.nanoTime = nanoTime;
        this.grantedAt = nanoTime.getAsLong();
        this.callbacks = callbacks;
        this.valid = valid;
        this.data = request.data().orElse(LockData.EMPTY);
    }

    /** The handle that a writer gets by {@link #downgrade()}, as a reader. */
    private UnlockedHandle(UnlockedHandle writer) {
        this.request = writer.request;
        this.fencingToken = writer.fencingToken;
        this.since = writer.since;
        this.caller = writer.caller;
        this.alone = false;
        this.nanoTime = writer.nanoTime;
        this.grantedAt = writer.grantedAt;
        this.callbacks = writer.callbacks;
        this.valid = writer.valid;
        this.data = writer.data;
    }

    @Override
    public synchronized String key() {
        return request.key();
    }

    @Override
    public synchronized String namespace() {
        return request.namespace();
    }

    @Override
    public long fencingToken() {
        return fencingToken;
    }

    @Override
    public synchronized boolean isValid() {
        return state == State.HELD;
    }

    @Override
    public Duration remainingValidity() {
        return isValid() ? VALIDITY : Duration.ZERO;
    }

    @Override
    public synchronized void ensureValid() {
        switch (state) {
            case HELD -> {}
            case RELEASED -> throw over("was released by this handle already; it is not held any more.");
            case DOWNGRADED -> throw over("goes on as a reader, by the handle that downgrade() has returned.");
            case LOST -> throw over("was lost: its registry was closed.");
        }
    }

    private LockLostException over(String whatHappened) {
        return new LockLostException(this, whatHappened, null);
    }

    @Override
    public synchronized Duration held() {
        return Duration.ofNanos((state == State.HELD ? nanoTime.getAsLong() : endedAt) - grantedAt);
    }

    // Limits

    @Override
    public synchronized void setMaxHold(Duration maxHold) {
        ensureValid();
        request = request.maxHold(maxHold);
    }

    @Override
    public synchronized void extendBy(Duration extension) {
        if (extension.isNegative() || extension.isZero()) {
            throw new IllegalArgumentException(
                    "extension must be more than zero, but was " + extension + " for " + describe() + ".");
        }
        ensureValid();
    }

    @Override
    public synchronized void setHoldAtLeast(Duration holdAtLeast) {
        ensureValid();
        request = request.holdAtLeast(holdAtLeast);
    }

    @Override
    public ConditionCheck fence() {
        throw new UnsupportedOperationException(
                "This registry locks nothing, so DynamoDB cannot check its locks in a transaction.");
    }

    @Override
    public synchronized LockHandle downgrade() {
        ensureValid();
        if (!alone || !request.isDowngradable()) {
            throw new UnsupportedOperationException("The " + describe()
                    + " cannot go on as a reader: only a handle from readWrite(key).write() or of a downgradable()"
                    + " request can.");
        }
        UnlockedHandle reader = new UnlockedHandle(this);
        valid.add(reader);
        end(State.DOWNGRADED);
        return reader;
    }

    // Data

    @Override
    public synchronized LockData data() {
        return data;
    }

    @Override
    public synchronized void putData(LockData written) {
        Objects.requireNonNull(written, "data");
        requireAlone();
        ensureValid();
        data = written;
    }

    @Override
    public CompletableFuture<Void> putDataAsync(LockData written) {
        putData(written);
        return CompletableFuture.completedFuture(null);
    }

    private void requireAlone() {
        if (!alone) {
            throw new UnsupportedOperationException("The data of the " + describe()
                    + " cannot be written by a reader or under a permit, only by a caller that holds the lock alone.");
        }
    }

    // Losses

    @Override
    public void onExpiring(Duration before, Runnable callback) {
        if (before.isNegative() || before.isZero() || before.compareTo(VALIDITY) >= 0) {
            throw new IllegalArgumentException(
                    "before must be more than zero and less than " + VALIDITY + ", but was " + before + ".");
        }
        onLost(callback);
    }

    @Override
    public synchronized void onLost(Runnable callback) {
        Objects.requireNonNull(callback, "callback");
        if (state == State.HELD) {
            lossCallbacks.add(callback);
        } else if (state == State.LOST) {
            callbacks.execute(() -> run(callback));
        }
    }

    private static void run(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            LOG.error("A callback for a lost lock failed", SafeFailure.of(e));
        }
    }

    /** Called when the registry is closed. Does nothing if the handle is not valid. */
    synchronized void lose() {
        if (state == State.HELD) {
            lossCallbacks.forEach(callback -> callbacks.execute(() -> run(callback)));
            end(State.LOST);
        }
    }

    // Releases

    @Override
    public synchronized boolean release() {
        if (state == State.HELD) {
            end(State.RELEASED);
        }
        return state != State.LOST;
    }

    @Override
    public synchronized boolean release(LockData left) {
        boolean wasHeld = release();
        Objects.requireNonNull(left, "data");
        requireAlone();
        return wasHeld;
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync(LockData left) {
        return CompletableFuture.completedFuture(release(left));
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        return CompletableFuture.completedFuture(release());
    }

    @Override
    public void close() {
        release();
    }

    private void end(State how) {
        state = how;
        endedAt = nanoTime.getAsLong();
        lossCallbacks.clear();
        valid.remove(this);
    }

    // For messages and this package

    @Override
    public synchronized String describe() {
        return Internals.describe(request);
    }

    /** Whether this set of valid handles belongs to the registry that has made this handle, valid or not. */
    boolean isOfRegistryWith(Set<UnlockedHandle> validHandles) {
        return valid == validHandles;
    }

    /** Whether the handle was given back. False if it is held or was lost. */
    synchronized boolean isReleased() {
        return state == State.RELEASED || state == State.DOWNGRADED;
    }

    synchronized LockAdmin.Held asHeld() {
        return new LockAdmin.Held(request.key(), request.namespace(), request.name(), fencingToken, since, caller);
    }

    @Override
    public String toString() {
        return "LockHandle[key=" + Internals.text(key(), namespace()) + ", namespace=" + namespace() + ", fencingToken="
                + fencingToken + ", valid=" + isValid() + ", unlocked]";
    }
}
