package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;

/**
 * How long this process's session is certainly alive: from the <em>sending</em> of its last answered heartbeat for one lease less a
 * margin, by the monotonic clock and by the wall clock, whichever says expired first. The monotonic clock stands still while a virtual
 * machine is frozen. Once over, it stays over. Thread-safe.
 */
final class Validity {

    /** When a call was sent, by both clocks. */
    record Sending(long nanos, Instant at) {

        static Sending now(TimeSource time) {
            return new Sending(time.nanos(), time.now());
        }
    }

    final SessionId id;
    private final Duration lasts;
    private final TimeSource time;
    final Sending begun;
    private volatile Sending last;
    private volatile boolean over;

    /** @param lasts how long it lasts from the sending of a heartbeat */
    Validity(SessionId id, Duration lasts, TimeSource time, Sending begun) {
        this.id = id;
        this.lasts = lasts;
        this.time = time;
        this.begun = begun;
        this.last = begun;
    }

    Sending last() {
        return last;
    }

    boolean isValid() {
        return !remaining().isZero();
    }

    /** Zero once it is over. */
    @SuppressWarnings("ReferenceEquality") // Whether the field was written meanwhile.
    Duration remaining() {
        if (over) {
            return Duration.ZERO;
        }
        Sending from;
        Duration monotonic;
        Duration wall;
        do {
            from = last;
            monotonic = monotonic(from);
            wall = lasts.minus(Duration.between(from.at(), time.now()));
            // The thread may have stood still before it read the clocks, while heartbeats got through.
        } while (from != last);
        Duration remaining = monotonic.compareTo(wall) < 0 ? monotonic : wall;
        if (remaining.isNegative() || remaining.isZero()) {
            over = true;
            return Duration.ZERO;
        }
        return remaining;
    }

    /** What is left by the monotonic clock alone. */
    Duration monotonicRemaining() {
        return monotonic(last);
    }

    private Duration monotonic(Sending from) {
        return lasts.minusNanos(time.nanos() - from.nanos());
    }

    /** A heartbeat that was sent then was answered. */
    void extend(Sending heartbeat) {
        last = heartbeat;
    }

    void end() {
        over = true;
    }
}
