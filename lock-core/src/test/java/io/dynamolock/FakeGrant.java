package io.dynamolock;

import io.dynamolock.engine.Grant;
import io.dynamolock.store.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A grant that a test loses, and whose release it answers. */
final class FakeGrant implements Grant {

    private final LockKey key;
    private final long number;
    final AtomicInteger releases = new AtomicInteger();
    final List<Runnable> lossCallbacks = new CopyOnWriteArrayList<>();
    final CompletableFuture<Boolean> releaseAnswer = new CompletableFuture<>();
    volatile boolean answersRelease = true;
    private volatile boolean valid = true;

    FakeGrant(LockKey key, long number) {
        this.key = key;
        this.number = number;
    }

    void lose() {
        valid = false;
        lossCallbacks.forEach(Runnable::run);
    }

    @Override
    public LockKey key() {
        return key;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public Instant since() {
        return Instant.EPOCH;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public Duration remainingValidity() {
        return valid ? Duration.ofSeconds(17) : Duration.ZERO;
    }

    @Override
    public void onLost(Runnable callback) {
        lossCallbacks.add(callback);
        if (!valid) {
            callback.run();
        }
    }

    @Override
    public CompletableFuture<Boolean> release() {
        boolean stillOurs = valid;
        valid = false;
        releases.incrementAndGet();
        if (answersRelease) {
            releaseAnswer.complete(stillOurs);
        }
        return releaseAnswer;
    }
}
