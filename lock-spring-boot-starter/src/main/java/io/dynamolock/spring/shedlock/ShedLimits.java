package io.dynamolock.spring.shedlock;

import java.time.Duration;
import net.javacrumbs.shedlock.core.LockConfiguration;

/** How long a lock is held at most and at least, counted from its grant. */
record ShedLimits(Duration maxHold, Duration minHold) {

    /** Upper bound of both limits, so that sums do not overflow. */
    private static final Duration CENTURY = Duration.ofDays(36_501);

    /** Values that ShedLock allows but that make no sense, such as negative ones, become the nearest sensible value. */
    static ShedLimits of(LockConfiguration configuration) {
        return new ShedLimits(
                clamp(Duration.ofNanos(1), configuration.getLockAtMostFor()),
                clamp(Duration.ZERO, configuration.getLockAtLeastFor()));
    }

    private static Duration clamp(Duration shortest, Duration limit) {
        if (limit.compareTo(shortest) < 0) {
            return shortest;
        }
        return limit.compareTo(CENTURY) > 0 ? CENTURY : limit;
    }

    /** The same limits, counted from {@code held} after the grant. */
    ShedLimits after(Duration held) {
        return new ShedLimits(held.plus(maxHold), held.plus(minHold));
    }
}
