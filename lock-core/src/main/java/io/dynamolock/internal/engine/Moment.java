package io.dynamolock.internal.engine;

import java.time.Instant;

/** A moment by both clocks of this machine: when a session's call was sent, say, or a caller came. */
public record Moment(long nanos, Instant at) {

    public static Moment now(TimeSource time) {
        return new Moment(time.nanos(), time.now());
    }
}
