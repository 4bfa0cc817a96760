package io.dynamolock.engine;

import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether this machine's clock is right enough. Others may bury a session at once whose last beat lies further back than
 * the lease and the bound on clock skew, by their wall clocks. A process whose clock breaks that bound must hold nothing.
 */
final class ClockCheck {

    private final EngineContext context;
    private final Duration skew;
    private volatile @Nullable StoreFailure latest;

    ClockCheck(EngineContext context) {
        this.context = context;
        this.skew = context.settings.maxClockSkew();
    }

    /** What was wrong when it was compared last: at the beginning of a session, or by an inspection. For any thread. */
    @Nullable
    StoreFailure latest() {
        return latest;
    }

    /** The store has just answered, and this is wrong with the clock by its answer: compared later, a right clock would look wrong. */
    @Nullable
    StoreFailure answered() {
        StoreFailure found = compare();
        latest = found;
        return found;
    }

    private @Nullable StoreFailure compare() {
        Instant here = context.time.now();
        Instant there = context.store.lastAnsweredAt().orElse(here);
        if (allows(Duration.between(there, here).abs())) {
            return null;
        }
        String message =
                "The clock of this machine is wrong: it says %s, that of the store %s. They may differ by half of"
                        + " maxClockSkew (%s) at the most. Set the clock of this machine, or switch burying by wall clock off on"
                        + " all processes with maxClockSkew = 0.";
        return new StoreFailure(StoreFailure.Kind.WRONG_CLOCK, message.formatted(here, there, skew), null);
    }

    /** Whether the clock may be so far off. */
    boolean allows(Duration off) {
        return skew.isZero() || off.compareTo(skew.dividedBy(2)) <= 0;
    }
}
