package io.dynamolock.internal.time;

import java.time.Duration;

/** Comparisons of durations. */
public final class Durations {

    /**
     * 100 years. A longer duration counts as unlimited: up to this length, a moment of the monotonic clock plus a
     * duration still fits into a {@code long} of nanoseconds.
     */
    public static final Duration CENTURY = Duration.ofDays(36_500);

    private Durations() {}

    /** The shorter of two durations. */
    public static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** The longer of two durations. */
    public static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** The same duration, or zero if it is negative. */
    public static Duration notNegative(Duration duration) {
        return longer(duration, Duration.ZERO);
    }
}
