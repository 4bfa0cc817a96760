package io.dynamolock.lockingread;

import io.dynamolock.internal.protocol.Clocks;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.StoreClock;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A lease as its holder counts it: from the sending of the call that locked or extended the item, and for a twelfth
 * less than its length, because clocks may be slewed by so much. Other processes begin to count later, when they first
 * see the effect of that call, and count a twelfth more. The lease is over when the monotonic clock or the wall clock
 * says so, because the former may stand still while the machine is suspended, and the latter may be set back.
 *
 * @param sent what the clocks said when the call was sent
 * @param until the end that is written into the item, to the millisecond; {@code null} to write none, so that others
 *     can only watch the lock
 */
record Lease(ClockReading sent, Duration length, @Nullable Instant until) {

    private static final Duration SHORTEST = Duration.ofMillis(100);

    /** The longest lease. The same limit applies to waits and pauses. */
    static final Duration LONGEST = Duration.ofDays(1);

    /** A lease that begins now, with an end if the store's time is known. */
    static Lease from(TimeSource time, StoreClock storeClock, Duration length) {
        ClockReading now = ClockReading.of(time);
        Instant at = storeClock.timeToWrite(now);
        return new Lease(
                now,
                length,
                at == null ? null : Instant.ofEpochMilli(at.plus(length).toEpochMilli()));
    }

    /** The same lease without an end for others to read. */
    Lease withoutEnd() {
        return new Lease(sent, length, null);
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

    /**
     * Whether the holder may count on this lease, as far as the answer to the call tells. If the end in the item is too
     * early, others may take the lock over before the holder knows.
     *
     * @param storeTime the time that the answer tells; {@code null} if it tells none
     */
    boolean isConfirmed(@Nullable Instant storeTime) {
        return StoreClock.isConfirmed(until == null ? null : until.minus(length), storeTime);
    }

    /** How much of the lease is left; zero if it is over. */
    Duration remaining(TimeSource time) {
        ClockReading now = ClockReading.of(time);
        Duration passed =
                Durations.longer(now.moment().since(sent.moment()), Duration.between(sent.wall(), now.wall()));
        return Durations.notNegative(length.minus(length.dividedBy(Clocks.SLEW)).minus(passed));
    }
}
