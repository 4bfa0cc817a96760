package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;

/**
 * How long this process's session is certainly alive: from the <em>sending</em> of its last answered heartbeat for one
 * lease less a margin, by the monotonic clock and by the wall clock, whichever expires first. The monotonic clock
 * stands still while a virtual machine is frozen. Once over, it stays over. Thread-safe.
 */
final class Validity {

    private final SessionId id;
    private final Duration lasts;
    private final TimeSource time;
    private final ClockReading begun;

    /** When the last answered heartbeat was sent; until the first, the beginning. */
    private volatile ClockReading last;

    /** Whether the validity is over. Set once. */
    private volatile boolean isOver;

    /** @param lasts how long it lasts from the sending of a heartbeat */
    Validity(SessionId id, Duration lasts, TimeSource time, ClockReading begun) {
        this.id = id;
        this.lasts = lasts;
        this.time = time;
        this.begun = begun;
        this.last = begun;
    }

    SessionId id() {
        return id;
    }

    /** When the beginning of the session was sent. */
    ClockReading begun() {
        return begun;
    }

    /** When the last answered heartbeat was sent; until the first, the beginning. */
    ClockReading last() {
        return last;
    }

    boolean isValid() {
        return !remaining().isZero();
    }

    /** Zero once it is over. */
    @SuppressWarnings("ReferenceEquality") // Whether the field was written meanwhile.
    Duration remaining() {
        ClockReading from = last;
        Duration monotonic = monotonic(from);
        Duration wall = lasts.minus(Duration.between(from.wall(), time.now()));
        if (from != last) {
            // The thread may have stood still before it read the clocks, while heartbeats got through.
            return remaining();
        }
        Duration left = Durations.shorter(monotonic, wall);
        if (left.isNegative() || left.isZero()) {
            isOver = true;
        }
        return isOver ? Duration.ZERO : left;
    }

    /** What is left by the monotonic clock alone. */
    Duration monotonicRemaining() {
        return monotonic(last);
    }

    private Duration monotonic(ClockReading from) {
        return lasts.minus(time.moment().since(from.moment()));
    }

    /** A heartbeat that was sent then was answered. */
    void extend(ClockReading heartbeat) {
        last = heartbeat;
    }

    void end() {
        isOver = true;
    }
}
