package io.dynamolock.internal.engine;

import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an acquisition ended. */
public sealed interface AcquireOutcome {

    /** The caller holds the lock until it releases the grant or the grant is lost. */
    record Granted(Grant grant) implements AcquireOutcome {}

    /**
     * The wait is over, the caller has left the queue.
     *
     * @param ahead how many were ahead at the end, as far as this process knew
     * @param holder the last known holder
     */
    record TimedOut(Duration waited, long ahead, @Nullable Holder holder) implements AcquireOutcome {}

    /** The store refused, or did not answer before the wait was over; the caller has left the queue. */
    record Failed(Duration waited, StoreFailure cause) implements AcquireOutcome {}

    /** An operator had the caller taken out of the queue. */
    record Evicted(Duration waited) implements AcquireOutcome {}

    /** The lock has so many permits, and the caller took it to have another number of them. */
    record OtherPermits(int permits) implements AcquireOutcome {}

    /** The lock has no item, and the caller wanted it only if it has one. */
    record NotFound() implements AcquireOutcome {}

    /** The caller gave up by itself. */
    record Abandoned() implements AcquireOutcome {}

    /** The caller does not wait, and the engine is paused. */
    record Paused() implements AcquireOutcome {}

    /** The engine was shut down. */
    record Closed() implements AcquireOutcome {}
}
