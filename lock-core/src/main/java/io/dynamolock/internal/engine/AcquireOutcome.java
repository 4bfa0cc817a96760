package io.dynamolock.internal.engine;

import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an acquisition ended. */
public sealed interface AcquireOutcome {

    /** The caller holds the lock, until it releases the grant or the grant is lost. */
    record Granted(Grant grant) implements AcquireOutcome {}

    /**
     * The caller's time is over, and the caller does not wait any more.
     *
     * @param ahead how many callers were ahead at the end, as far as this process knew
     * @param holder the last known holder; {@code null} if none is known
     * @param unreadable why the session of a process ahead cannot be read, so that nobody can tell whether that process
     *     is dead; {@code null} if there is no such session
     */
    record TimedOut(
            Duration waited,
            long ahead,
            @Nullable Holder holder,
            @Nullable StoreFailure unreadable) implements AcquireOutcome {

        /** The sessions of all processes ahead could be read, as far as this process knows. */
        public TimedOut(Duration waited, long ahead, @Nullable Holder holder) {
            this(waited, ahead, holder, null);
        }
    }

    /**
     * The store has refused, or did not answer before the caller's time was over. The caller does not wait any more.
     */
    record Failed(Duration waited, StoreFailure cause) implements AcquireOutcome {}

    /** An operator has ended the wait. */
    record Evicted(Duration waited) implements AcquireOutcome {}

    /**
     * The lock has another number of permits than the caller has asked for.
     *
     * @param permits the number that the lock has
     */
    record OtherPermits(int permits) implements AcquireOutcome {}

    /** The lock has no item, and the caller wanted the lock only if it has one. */
    record NotFound() implements AcquireOutcome {}

    /** The caller has abandoned the acquisition. */
    record Abandoned() implements AcquireOutcome {}

    /** The caller does not wait, and the engine is paused. */
    record Paused() implements AcquireOutcome {}

    /** The engine was shut down. */
    record Closed() implements AcquireOutcome {}
}
