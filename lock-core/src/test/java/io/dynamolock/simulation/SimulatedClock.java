package io.dynamolock.simulation;

import io.dynamolock.engine.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * The two clocks of one machine. The monotonic one starts anywhere, may run fast or slow, and stands still while the
 * machine is paused; the wall clock goes on then, and can be set.
 */
final class SimulatedClock implements TimeSource {

    private static final long MILLION = 1_000_000;

    private final VirtualTime time;
    private final long partsPerMillion;
    private final boolean wallClockDrifts;
    private long shown;
    private long shownAt;
    private boolean standing;
    private Duration wallOffset = Duration.ZERO;

    /** Clocks that show the virtual time itself. */
    SimulatedClock(VirtualTime time) {
        this(time, 0, 0, false);
    }

    /**
     * @param origin what the monotonic clock shows now
     * @param partsPerMillion how much faster than the virtual time it runs
     * @param wallClockDrifts whether the wall clock runs at the same rate
     */
    SimulatedClock(VirtualTime time, long origin, long partsPerMillion, boolean wallClockDrifts) {
        this.time = time;
        this.shown = origin;
        this.shownAt = time.nanos();
        this.partsPerMillion = partsPerMillion;
        this.wallClockDrifts = wallClockDrifts;
    }

    @Override
    public long nanos() {
        return standing ? shown : shown + local(time.nanos() - shownAt);
    }

    @Override
    public Instant now() {
        Instant now = time.now().plus(wallOffset);
        return wallClockDrifts ? now.plusNanos(time.nanos() / MILLION * partsPerMillion) : now;
    }

    private long local(long nanos) {
        return nanos + nanos / MILLION * partsPerMillion;
    }

    /** How long the virtual time has to go on at least until the monotonic clock has counted so much. */
    long untilCounted(long nanos) {
        if (partsPerMillion == 0) {
            return nanos;
        }
        return (long) Math.ceil(nanos / (1 + partsPerMillion / (double) MILLION)) + MILLION;
    }

    void moveWallClock(Duration by) {
        wallOffset = wallOffset.plus(by);
    }

    void setWallClock(Duration offset) {
        wallOffset = offset;
    }

    void standStill() {
        shown = nanos();
        standing = true;
    }

    void goOn() {
        if (standing) {
            standing = false;
            shownAt = time.nanos();
        }
    }
}
