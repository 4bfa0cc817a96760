package io.dynamolock.internal.time;

import java.time.Instant;

/** Where all time comes from. Thread-safe. */
public interface TimeSource {

    /** A monotonic clock in nanoseconds, as {@link System#nanoTime()}: only differences mean anything. */
    long nanos();

    /** The present moment by the monotonic clock. */
    default Moment moment() {
        return new Moment(nanos());
    }

    /** The wall clock. */
    Instant now();

    /** The clocks of this machine; nothing else in the project reads them. */
    static TimeSource system() {
        return new TimeSource() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public Instant now() {
                return Instant.now();
            }
        };
    }
}
