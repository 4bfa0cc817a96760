package io.dynamolock.internal.time;

import java.time.Instant;

/**
 * What both clocks of this machine said at once: when a session's call was sent, say, or when a caller came.
 *
 * @param moment by the monotonic clock
 * @param wall by the wall clock
 */
public record ClockReading(Moment moment, Instant wall) {

    public static ClockReading of(TimeSource time) {
        return new ClockReading(time.moment(), time.now());
    }
}
