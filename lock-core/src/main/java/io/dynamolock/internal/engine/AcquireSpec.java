package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for.
 *
 * @param name for metrics
 * @param waitLimit zero fails at once if anyone is ahead; {@link #FOREVER} and anything over a century never gives up
 * @param maxHold the lock is taken away after this long, if given
 * @param holdAtLeast an earlier release takes effect only then, if given
 * @param kind as what the lock is wanted
 * @param permits of how many permits one is wanted; 0 for other kinds
 * @param onlyIfExists whether the lock must have an item already
 * @param caller who asks, for people
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
        String caller) {

    /** Never gives up. */
    public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    public boolean waitsForever() {
        return waitLimit.compareTo(Durations.CENTURY) > 0;
    }
}
