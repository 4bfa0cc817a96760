package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;

/**
 * How long this process's session is certainly alive: from the <em>sending</em> of its last answered heartbeat for one lease less a
 * margin, by the monotonic clock and by the wall clock, whichever says expired first. The monotonic clock stands still while a virtual
 * machine is frozen. Once over, it stays over. Thread-safe.
 */
final class Validity {

    final SessionId id;
    private final Duration lasts;
    private final TimeSource time;
    final Moment begun;
    private volatile Moment last;
    private volatile boolean over;

    /** @param lasts how long it lasts from the sending of a heartbeat */
    Validity(SessionId id, Duration lasts, TimeSource time, Moment begun) {
        this.id = id;
        this.lasts = lasts;
        this.time = time;
        this.begun = begun;
        this.last = begun;
    }

    Moment last() {
        return last;
    }

    boolean isValid() {
        return !remaining().isZero();
    }

    /** Zero once it is over. */
    @SuppressWarnings("ReferenceEquality") // Whether the field was written meanwhile.
    Duration remaining() {
        Moment from = last;
        Duration monotonic = monotonic(from);
        Duration wall = lasts.minus(Duration.between(from.at(), time.now()));
        if (from != last) {
            // The thread may have stood still before it read the clocks, while heartbeats got through.
            return remaining();
        }
        Duration left = monotonic.compareTo(wall) < 0 ? monotonic : wall;
        if (left.isNegative() || left.isZero()) {
            over = true;
        }
        return over ? Duration.ZERO : left;
    }

    /** What is left by the monotonic clock alone. */
    Duration monotonicRemaining() {
        return monotonic(last);
    }

    private Duration monotonic(Moment from) {
        return lasts.minusNanos(time.nanos() - from.nanos());
    }

    /** A heartbeat that was sent then was answered. */
    void extend(Moment heartbeat) {
        last = heartbeat;
    }

    void end() {
        over = true;
    }
}
