package io.dynamolock.spring.shedlock;

import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import net.javacrumbs.shedlock.core.LockConfiguration;

/** The longest and the shortest hold of a lock, both counted from the grant. */
record ShedLimits(Duration maxHold, Duration minHold) {

    /**
     * Upper bound of both limits, so that sums do not overflow. Longer than a century, so a hold with this limit counts
     * as unlimited.
     */
    private static final Duration UNLIMITED = Durations.CENTURY.plusDays(1);

    /**
     * Replaces values that ShedLock allows but that make no sense, such as negative ones, by the nearest sensible
     * value.
     */
    static ShedLimits of(LockConfiguration configuration) {
        return new ShedLimits(
                clamp(Duration.ofNanos(1), configuration.getLockAtMostFor()),
                clamp(Duration.ZERO, configuration.getLockAtLeastFor()));
    }

    private static Duration clamp(Duration shortest, Duration limit) {
        if (limit.compareTo(shortest) < 0) {
            return shortest;
        }
        return limit.compareTo(UNLIMITED) > 0 ? UNLIMITED : limit;
    }

    /** The same limits, counted from {@code held} after the grant. */
    ShedLimits after(Duration held) {
        return new ShedLimits(held.plus(maxHold), held.plus(minHold));
    }
}
