package io.dynamolock;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** For how long a request may have its caller wait and hold, and what is said of one that may not. */
final class RequestRules {

    private RequestRules() {}

    static Duration requireNotNegative(String what, Duration duration, String key, String namespace) {
        Objects.requireNonNull(duration, what);
        if (duration.isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, but was " + duration + " for "
                    + LockNames.describe(key, namespace) + ".");
        }
        return duration;
    }

    static Duration requireMaxHold(Duration maxHold, String key, String namespace) {
        requireNotNegative("maxHold", maxHold, key, namespace);
        if (maxHold.isZero()) {
            throw new IllegalArgumentException("maxHold must be more than zero, but was " + maxHold + " for "
                    + LockNames.describe(key, namespace) + ". Leave it out for a hold without limit.");
        }
        return maxHold;
    }

    /** A lock cannot be taken away before it may be given back. */
    static void requireInOrder(
            @Nullable Duration holdAtLeast, @Nullable Duration maxHold, String key, String namespace) {
        if (maxHold != null && holdAtLeast != null && holdAtLeast.compareTo(maxHold) > 0) {
            throw new IllegalArgumentException("holdAtLeast (" + holdAtLeast + ") must not be longer than maxHold ("
                    + maxHold + ") for " + LockNames.describe(key, namespace) + ".");
        }
    }
}
