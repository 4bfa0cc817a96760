package io.dynamolock;

import io.dynamolock.engine.Grant;
import io.dynamolock.engine.LossReason;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A grant that a test loses, and whose release it answers. */
final class FakeGrant implements Grant {

    static final BlockId BLOCK = new BlockId(SessionId.of(1), 1);
    static final Instant SINCE = Instant.parse("2026-01-02T03:04:00Z");

    private final LockKey key;
    private final String name;
    private final long number;
    final AtomicInteger releases = new AtomicInteger();
    final List<Runnable> lossCallbacks = new CopyOnWriteArrayList<>();
    final CompletableFuture<Boolean> releaseAnswer = new CompletableFuture<>();
    volatile boolean answersRelease = true;
    volatile boolean isFoundMissingAtRelease;
    private volatile boolean valid = true;

    FakeGrant(LockKey key, long number) {
        this(key, key.namespace(), number);
    }

    FakeGrant(LockKey key, String name, long number) {
        this.key = key;
        this.name = name;
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
    public String name() {
        return name;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public Instant since() {
        return SINCE;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public Optional<LossReason> loss() {
        return valid ? Optional.empty() : Optional.of(LossReason.MAX_HOLD);
    }

    @Override
    public Duration remainingValidity() {
        return valid ? Duration.ofSeconds(17) : Duration.ZERO;
    }

    @Override
    public Optional<BlockId> fence() {
        return valid ? Optional.of(BLOCK) : Optional.empty();
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
        boolean stillOurs = valid && !isFoundMissingAtRelease;
        valid = false;
        releases.incrementAndGet();
        if (answersRelease) {
            releaseAnswer.complete(stillOurs);
        }
        return releaseAnswer;
    }
}
