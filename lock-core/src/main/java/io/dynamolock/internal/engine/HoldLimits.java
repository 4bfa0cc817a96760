package io.dynamolock.internal.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a grant may and must be held, counted from the grant.
 *
 * @param maxHold the lock is taken away after this time; {@code null} for no limit
 * @param holdAtLeast a release before this time takes effect only at its end; {@code null} if every release takes
 *     effect at once
 */
public record HoldLimits(
        @Nullable Duration maxHold, @Nullable Duration holdAtLeast) {}
