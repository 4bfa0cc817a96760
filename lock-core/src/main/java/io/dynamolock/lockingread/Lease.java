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

    static Lease from(TimeSource time, Duration length) {
        return new Lease(time.nanos(), time.now(), length);
    }

    Duration remaining(TimeSource time) {
        Duration elapsed = later(Duration.ofNanos(time.nanos() - sentNanos), Duration.between(sentAt, time.now()));
        Duration remaining = length.minus(elapsed);
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    /** When it is over by the holder's wall clock, as others can read it. */
    Instant until() {
        return Instant.ofEpochMilli(sentAt.plus(length).toEpochMilli());
    }

    private static Duration later(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
