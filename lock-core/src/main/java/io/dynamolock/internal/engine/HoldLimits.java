package io.dynamolock.internal.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a grant may and must be held, counted from the grant.
 *
 * @param maxHold the lock is taken away after this long, if given
 * @param holdAtLeast an earlier release takes effect only then, if given
 */
public record HoldLimits(
        @Nullable Duration maxHold, @Nullable Duration holdAtLeast) {}
