package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;

/** How long a caller waits, from when it came; by the monotonic clock. */
record Wait(long startNanos, Duration length) {

    static Wait from(TimeSource time, Duration length) {
        return new Wait(time.nanos(), length);
    }

    Duration soFar(TimeSource time) {
        return Duration.ofNanos(time.nanos() - startNanos);
    }

    Duration left(TimeSource time) {
        Duration left = length.minus(soFar(time));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
