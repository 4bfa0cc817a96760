package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** The clocks of one process, which stand still until a test, or a pause of that process, moves them. */
final class TestClock implements TimeSource {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicLong nanos = new AtomicLong();
    private final Duration wallOffset;

    /** @param wallOffset how wrong the wall clock is */
    TestClock(Duration wallOffset) {
        this.wallOffset = wallOffset;
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos.get()).plus(wallOffset);
    }

    void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** Pauses that take no time but this clock's. */
    Pauses pauses() {
        return pause -> {
            advance(pause);
            return CompletableFuture.completedFuture(true);
        };
    }
}
