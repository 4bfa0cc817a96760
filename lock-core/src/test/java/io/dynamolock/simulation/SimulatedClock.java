package io.dynamolock.simulation;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * The two clocks of one machine. The monotonic one starts anywhere, may run fast or slow, and stands still while the
 * machine is paused; the wall clock goes on then, and can be set. Not both within one lease: if the one stands still and
 * the other is set back, nothing in the process can know how long it was.
 */
final class SimulatedClock implements TimeSource {

    private static final long MILLION = 1_000_000;

    private final VirtualTime time;
    private final long partsPerMillion;
    private final boolean wallClockDrifts;
    private final long lease;
    private long stoodStillUntil = Long.MIN_VALUE / 2;
    private long setBackAt = Long.MIN_VALUE / 2;
    private long shown;
    private long shownAt;
    private boolean standing;
    private Duration wallOffset = Duration.ZERO;

    /** Clocks that show the virtual time itself. */
    SimulatedClock(VirtualTime time) {
        this(time, 0, 0, false, Duration.ZERO);
    }

    /**
     * @param origin what the monotonic clock shows now
     * @param partsPerMillion how much faster than the virtual time it runs
     * @param wallClockDrifts whether the wall clock runs at the same rate
     * @param lease the lease of the process
     */
    SimulatedClock(VirtualTime time, long origin, long partsPerMillion, boolean wallClockDrifts, Duration lease) {
        this.time = time;
        this.shown = origin;
        this.shownAt = time.nanos();
        this.partsPerMillion = partsPerMillion;
        this.wallClockDrifts = wallClockDrifts;
        this.lease = lease.toNanos();
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
        if (!by.isNegative()) {
            wallOffset = wallOffset.plus(by);
        } else if (!standing && time.nanos() - stoodStillUntil > lease) {
            wallOffset = wallOffset.plus(by);
            setBackAt = time.nanos();
        }
    }

    /** Sets the wall clock right, as soon as that is safe. */
    void correctWallClock() {
        moveWallClock(wallOffset.negated());
        if (!wallOffset.isZero()) {
            time.schedule(this::correctWallClock, Duration.ofNanos(lease + MILLION));
        }
    }

    void standStill() {
        if (!standing && time.nanos() - setBackAt > lease) {
            shown = nanos();
            standing = true;
        }
    }

    void goOn() {
        if (standing) {
            standing = false;
            stoodStillUntil = time.nanos();
            shownAt = time.nanos();
        }
    }
}
