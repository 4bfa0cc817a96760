package io.dynamolock.engine;

import java.util.concurrent.CompletableFuture;

/** A caller's attempt to get a lock, under way or ended. Thread-safe. */
public interface Acquisition {

    /**
     * The outcome; never completes exceptionally. Completed on the event loop: block on it, or attach only asynchronous
     * continuations.
     */
    CompletableFuture<AcquireOutcome> outcome();

    /** Leaves the queue; if the lock had been granted already, gives it back, and nothing keeps it any longer. */
    void abandon();
}
