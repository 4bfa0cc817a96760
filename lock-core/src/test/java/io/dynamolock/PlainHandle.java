package io.dynamolock;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.Grant;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/** A handle on a grant that needs no thread of its own. */
record PlainHandle(Grant grant, AtomicBoolean released) implements LockHandle {

    PlainHandle(Grant grant) {
        this(grant, new AtomicBoolean());
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
        throw new UnsupportedOperationException();
    }

    @Override
    public Duration held() {
        return grant.held();
    }

    @Override
    public void setMaxHold(Duration maxHold) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setHoldAtLeast(Duration holdAtLeast) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ConditionCheck fence() {
        throw new UnsupportedOperationException("no fence is asked for");
    }

    @Override
    public LockData data() {
        return grant.data();
    }

    @Override
    public void putData(LockData data) {
        throw new UnsupportedOperationException("no data is written");
    }

    @Override
    public CompletableFuture<Void> putDataAsync(LockData data) {
        throw new UnsupportedOperationException("no data is written");
    }

    @Override
    public void onExpiring(Duration before, Runnable callback) {
        grant.onExpiring(before, callback);
    }

    @Override
    public boolean release(LockData left) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync(LockData left) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void onLost(Runnable callback) {
        grant.onLost(callback);
    }

    @Override
    public boolean release() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        released.set(true);
        return grant.release();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
