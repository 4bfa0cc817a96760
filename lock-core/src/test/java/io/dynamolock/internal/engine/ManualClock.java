package io.dynamolock.internal.engine;

import java.time.Duration;
import java.time.Instant;

/** Clocks that stand until they are moved. */
final class ManualClock implements TimeSource {

    /** A monotonic clock that stands at zero would hide what is subtracted from it. */
    private long nanos = Duration.ofHours(1).toNanos();

    private Instant wall = Instant.ofEpochSecond(1_000_000);

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return wall;
    }

    void pass(Duration some) {
        nanos += some.toNanos();
        moveWallClock(some);
    }

    void moveWallClock(Duration some) {
        wall = wall.plus(some);
    }
}
