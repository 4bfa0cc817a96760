package io.dynamolock.lockingread;

import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * A lease as its holder counts it: from the sending of the call that locked or extended the item. Other processes begin
 * to count later, when they first see the effect of that call. The lease is over when the monotonic clock or the wall
 * clock says so, because the former may stand still while the machine is suspended, and the latter may be set back.
 *
 * @param sentNanos when the call was sent, by the monotonic clock
 * @param sentAt when the call was sent, by the wall clock
 */
record Lease(long sentNanos, Instant sentAt, Duration length) {

    private static final Duration SHORTEST = Duration.ofMillis(100);

    /** The longest lease. The same limit applies to waits, pauses and clock skews. */
    static final Duration LONGEST = Duration.ofDays(1);

    /** A lease that begins now. */
    static Lease from(TimeSource time, Duration length) {
        return new Lease(time.nanos(), time.now(), length);
    }

    /**
     * The length cut to the millisecond, as the item contains it.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    static Duration checked(Duration length) {
        if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The lease must be from " + SHORTEST + " to " + LONGEST + ", but is "
                    + length + ". Take a time that the work between read and write does not exceed, some seconds"
                    + " mostly, and extend it where that is not enough.");
        }
        return Duration.ofMillis(length.toMillis());
    }

    /** How much of the lease is left; zero if it is over. */
    Duration remaining(TimeSource time) {
        Duration monotonic = Duration.ofNanos(time.nanos() - sentNanos);
        Duration byWallClock = Duration.between(sentAt, time.now());
        return Durations.notNegative(length.minus(Durations.longer(monotonic, byWallClock)));
    }

    /** The end of the lease by the holder's wall clock, which is written into the item. */
    Instant until() {
        return Instant.ofEpochMilli(sentAt.plus(length).toEpochMilli());
    }
}
