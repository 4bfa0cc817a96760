package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** Both clocks of a process, which stand still until a test moves them. Thread-safe. */
public final class StoppedTime implements TimeSource {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private volatile long nanos;

    synchronized void advance(Duration duration) {
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

    /** What the clocks said when a heartbeat was sent this long after the start. */
    ClockReading sending(Duration monotonic, Duration wall) {
        return new ClockReading(new Moment(monotonic.toNanos()), START.plus(wall));
    }
}
