package io.dynamolock.engine;

import java.time.Instant;

/** Where all time comes from. Thread-safe. */
public interface TimeSource {

    /** A monotonic clock in nanoseconds, as {@link System#nanoTime()}: only differences mean anything. */
    long nanos();

    /** The wall clock. */
    Instant now();

    /** The clocks of this machine. */
    static TimeSource system() {
        return SystemTimeSource.INSTANCE;
    }
}
