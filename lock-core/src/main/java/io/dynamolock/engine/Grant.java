package io.dynamolock.engine;

import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One grant of a lock to one caller. Thread-safe. */
public interface Grant {

    LockKey key();

    /** The name used for metrics. */
    String name();

    /** The caller's ticket: greater than that of every earlier grant of this lock. */
    long number();

    /** The wall clock at the grant. */
    Instant since();

    /** Whether the lock is certainly still this caller's, by both clocks. */
    boolean isValid();

    /** Why the grant is not valid, if it is lost; empty while it is valid, and after its owner's release in time. */
    Optional<LossReason> loss();

    /** How long the lock stays this caller's if no further heartbeat gets through; zero if it is not. */
    Duration remainingValidity();

    /**
     * The block that holds the lock, for a condition that it is first in the queue. From the first call on, no later caller
     * is granted the lock under this block's number: if others of the block wait, it gets a new one before their turn.
     *
     * @return empty if the grant is not valid any more
     */
    Optional<BlockId> fence();

    /**
     * Runs the callback once when the lock is lost before it was released, at once if it already is; never on the event
     * loop or the calling thread.
     */
    void onLost(Runnable callback);

    /**
     * Releases the lock; idempotent. Completes on the event loop with whether it was still this caller's, when the
     * release has been written, or has failed once (it is then repeated in the background), or need not be written.
     */
    CompletableFuture<Boolean> release();
}
