package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What callers of tests ask for; they have no names. */
public final class Specs {

    private Specs() {}

    /** Wants the lock for itself alone, also if it is new. */
    public static AcquireSpec of(
            LockKey key, String name, Duration waitLimit, @Nullable Duration maxHold, @Nullable Duration holdAtLeast) {
        return of(key, name, waitLimit, maxHold, holdAtLeast, Kind.EXCLUSIVE, 0, false);
    }

    public static AcquireSpec of(
            LockKey key,
            String name,
            Duration waitLimit,
            @Nullable Duration maxHold,
            @Nullable Duration holdAtLeast,
            Kind kind,
            int permits,
            boolean onlyIfExists) {
        return new AcquireSpec(key, name, waitLimit, maxHold, holdAtLeast, kind, permits, onlyIfExists, "");
    }
}
