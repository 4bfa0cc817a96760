package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;

/**
 * How long a session of this process is certainly alive: from the <em>sending</em> of its last answered heartbeat for
 * one lease less a margin. Both clocks count, the monotonic clock and the wall clock, and the validity ends as soon as
 * it is over by one of them: the monotonic clock stands still while a virtual machine is frozen. A validity that is
 * over stays over. Thread-safe.
 */
final class Validity {

    private final SessionId id;
    private final Duration lasts;
    private final TimeSource time;
    private final ClockReading begun;

    /** When the last answered heartbeat was sent; before the first, when the beginning of the session was sent. */
    private volatile ClockReading last;

    /** Whether the validity was seen to be over, or was ended. Set once. */
    private volatile boolean isOver;

    /** @param lasts how long the session is valid from the sending of a heartbeat */
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

    /** When the last answered heartbeat was sent; before the first, when the beginning of the session was sent. */
    ClockReading last() {
        return last;
    }

    boolean isValid() {
        return !remaining().isZero();
    }

    /** How long the session is certainly alive from now on; zero once its validity is over. */
    @SuppressWarnings("ReferenceEquality") // Whether another thread has written the field meanwhile.
    Duration remaining() {
        ClockReading from = last;
        Duration monotonic = monotonic(from);
        Duration wall = lasts.minus(Duration.between(from.wall(), time.now()));
        if (from != last) {
            // Heartbeats got through while this thread read the clocks, perhaps after it had stood still for long.
            return remaining();
        }
        Duration left = Durations.shorter(monotonic, wall);
        if (left.isNegative() || left.isZero()) {
            isOver = true;
        }
        return isOver ? Duration.ZERO : left;
    }

    /** How much is left by the monotonic clock alone. */
    Duration monotonicRemaining() {
        return monotonic(last);
    }

    private Duration monotonic(ClockReading from) {
        return lasts.minus(time.moment().since(from.moment()));
    }

    /** A heartbeat was answered that was sent at this reading of the clocks. */
    void extend(ClockReading heartbeat) {
        last = heartbeat;
    }

    void end() {
        isOver = true;
    }
}
