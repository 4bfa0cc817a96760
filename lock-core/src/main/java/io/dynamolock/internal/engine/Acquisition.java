package io.dynamolock.internal.engine;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A caller's attempt to get a lock, under way or ended. Thread-safe. */
public interface Acquisition {

    /**
     * The outcome; never completes exceptionally. Completed on the event loop: block on it, or attach only asynchronous
     * continuations.
     */
    CompletableFuture<AcquireOutcome> outcome();

    /** How many were ahead when it entered the queue, as far as this process knew; empty if it did not. */
    OptionalLong ahead();

    /** Leaves the queue; if the lock had been granted already, gives it back, and nothing keeps it any longer. */
    void abandon();
}
