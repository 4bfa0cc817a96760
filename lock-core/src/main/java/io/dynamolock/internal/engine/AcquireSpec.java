package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for.
 *
 * @param name a name of the lock, for metrics
 * @param waitLimit how long the caller waits; zero if it wants the lock at once or not at all. {@link #FOREVER}, and
 *     every other time over a century, never ends
 * @param maxHold see {@link HoldLimits}
 * @param holdAtLeast see {@link HoldLimits}
 * @param kind in which way the caller wants the lock
 * @param permits how many permits the lock has, if the caller wants one of them; 0 for other kinds
 * @param onlyIfExists whether the lock must have an item already
 * @param caller who asks, for people
 * @param release how the hold is to end
 */
public record AcquireSpec(
        LockKey key,
        String name,
        Duration waitLimit,
        @Nullable Duration maxHold,
        @Nullable Duration holdAtLeast,
        Kind kind,
        int permits,
        boolean onlyIfExists,
        String caller,
        ReleaseTerms release) {

    /** A wait that never ends. */
    public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    /** For a caller that awaits its release. */
    public AcquireSpec(
            LockKey key,
            String name,
            Duration waitLimit,
            @Nullable Duration maxHold,
            @Nullable Duration holdAtLeast,
            Kind kind,
            int permits,
            boolean onlyIfExists,
            String caller) {
        this(key, name, waitLimit, maxHold, holdAtLeast, kind, permits, onlyIfExists, caller, ReleaseTerms.AWAITED);
    }

    /** The same for a caller that wants the lock at once or not at all. */
    public AcquireSpec withoutWait() {
        return new AcquireSpec(
                key, name, Duration.ZERO, maxHold, holdAtLeast, kind, permits, onlyIfExists, caller, release);
    }

    public boolean waitsForever() {
        return waitLimit.compareTo(Durations.CENTURY) > 0;
    }
}
