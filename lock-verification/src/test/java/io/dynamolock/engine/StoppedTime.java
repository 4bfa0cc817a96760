package io.dynamolock.engine;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** Both clocks, standing still until a test moves them. Thread-safe. */
public final class StoppedTime implements TimeSource {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private volatile long nanos;

    void advance(Duration duration) {
        nanos += duration.toNanos();
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos);
    }

    /** What a beat looks like that was sent so long after the start. */
    Session.Sending sending(Duration monotonic, Duration wall) {
        return new Session.Sending(monotonic.toNanos(), START.plus(wall));
    }
}
