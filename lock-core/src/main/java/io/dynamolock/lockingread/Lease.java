package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * How long a lock is its holder's, as the holder reckons it: from the sending of the call, because the others count
 * from when they first saw its effect. Both clocks of the machine count, and the later one decides: one may stand still
 * while the machine is suspended, and the other may be set back.
 */
record Lease(long sentNanos, Instant sentAt, Duration length) {

    private static final Duration SHORTEST = Duration.ofMillis(100);
    /** Of waits, pauses and clock skews as well. */
    static final Duration LONGEST = Duration.ofDays(1);

    static Lease from(TimeSource time, Duration length) {
        return new Lease(time.nanos(), time.now(), length);
    }

    /** To the millisecond, because so it stands in the item. */
    static Duration checked(Duration length) {
        if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The lease must be from " + SHORTEST + " to " + LONGEST + ", but is "
                    + length + ". Take a time that the work between read and write does not exceed, some seconds"
                    + " mostly, and extend it where that is not enough.");
        }
        return Duration.ofMillis(length.toMillis());
    }

    Duration remaining(TimeSource time) {
        Duration monotonic = Duration.ofNanos(time.nanos() - sentNanos);
        Duration byWallClock = Duration.between(sentAt, time.now());
        Duration remaining = length.minus(monotonic.compareTo(byWallClock) > 0 ? monotonic : byWallClock);
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    /** When it is over by the holder's wall clock, as others can read it. */
    Instant until() {
        return Instant.ofEpochMilli(sentAt.plus(length).toEpochMilli());
    }
}
