package io.dynamolock;

import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * An operator had the caller taken out of the queue while it waited, by {@link LockRegistry#evict}. The caller holds nothing,
 * and has left the queue. Asking again is allowed, and puts it at the end; but somebody did not want it to wait, so do so only
 * where that is known to be right.
 */
public final class LockEvictedException extends LockException {

    private static final long serialVersionUID = 1L;

    private final Duration waited;

    LockEvictedException(LockKey lock, Duration waited) {
        super(
                lock,
                "An operator took this caller out of the queue of the " + LockNames.describe(lock)
                        + " after it"
                        + " had waited " + waited.truncatedTo(ChronoUnit.MILLIS)
                        + " (LockRegistry.evict; the table does not say who it was). The lock is"
                        + " not held. Ask whoever looks after the locks before you ask for it again.",
                null);
        this.waited = waited;
    }

    /** How long the caller waited. */
    public Duration waited() {
        return waited;
    }
}
