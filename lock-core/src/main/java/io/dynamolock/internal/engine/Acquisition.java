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

    /**
     * How many callers were ahead when this one got a slot in the queue, or last found the queue full, as far as this
     * process knew; empty before that.
     */
    OptionalLong ahead();

    /** Ends the wait. If the lock is granted already, gives it back; its shortest hold does not count then. */
    void abandon();
}
