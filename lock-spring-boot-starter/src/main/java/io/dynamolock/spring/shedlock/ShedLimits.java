package io.dynamolock.spring.shedlock;

import java.time.Duration;
import net.javacrumbs.shedlock.core.LockConfiguration;

/** For how long a lock may and must be held, counted from its grant. */
record ShedLimits(Duration most, Duration least) {

    /** No hold is limited beyond that, and sums of it do not overflow. */
    private static final Duration CENTURY = Duration.ofDays(36_501);

    /** What ShedLock lets through but means nothing is brought to the next that does. */
    static ShedLimits of(LockConfiguration configuration) {
        return new ShedLimits(
                between(Duration.ofNanos(1), configuration.getLockAtMostFor()),
                between(Duration.ZERO, configuration.getLockAtLeastFor()));
    }

    private static Duration between(Duration shortest, Duration given) {
        if (given.compareTo(shortest) < 0) {
            return shortest;
        }
        return given.compareTo(CENTURY) > 0 ? CENTURY : given;
    }

    /** The same limits, counted from so long after the grant. */
    ShedLimits after(Duration held) {
        return new ShedLimits(held.plus(most), held.plus(least));
    }
}
