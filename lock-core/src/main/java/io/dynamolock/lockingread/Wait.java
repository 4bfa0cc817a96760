package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;

/** How long a caller waits, from when it came; by the monotonic clock. */
record Wait(TimeSource time, long startNanos, Duration length) {

    private static final Duration LONGEST = Duration.ofDays(1);

    static Wait from(TimeSource time, Duration length) {
        if (length.isNegative() || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The wait must be from PT0S, one try, to " + LONGEST + ", but is "
                    + length + ". Wait again if a day is not enough.");
        }
        return new Wait(time, time.nanos(), length);
    }

    Duration soFar() {
        return Duration.ofNanos(time.nanos() - startNanos);
    }

    Duration left() {
        Duration left = length.minus(soFar());
        return left.isNegative() ? Duration.ZERO : left;
    }
}
