package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One grant of a lock to one caller. Thread-safe. */
public interface Grant {

    LockKey key();

    /** The name used for metrics. */
    String name();

    /** Who has asked for it, for people. */
    String caller();

    /** As what the lock is held. */
    Kind kind();

    /**
     * The caller's ticket: greater than that of every earlier grant of this lock, unless both hold it beside each other or
     * by permits.
     */
    long number();

    /** The wall clock at the grant. */
    Instant since();

    /** How long ago that was; stands still once it is released, or known to be lost. */
    Duration heldInAll();

    /** Whether the lock is certainly still this caller's, by both clocks. */
    boolean isValid();

    /** Why the grant is not valid, if it is lost; empty while it is valid, and after its owner's release in time. */
    Optional<LossReason> loss();

    /** How long the lock stays this caller's if no further heartbeat gets through; zero if it is not. */
    Duration remainingValidity();

    /** How long the lock may and must be held, as the caller has asked for it or has changed it last. */
    HoldLimits limits();

    /**
     * Changes that. Where the new longest hold is over already, the lock is lost by it.
     *
     * @param before what {@link #limits()} has said
     * @return whether it is changed: not if the grant is not valid, or if the limits were changed since
     */
    boolean limit(HoldLimits before, HoldLimits after);

    /**
     * The block that holds the lock, for a condition that it is first in the queue. From the first call on, no later caller
     * is granted the lock under this block's number: if others of the block wait, it gets a new one before their turn.
     *
     * @return empty if the grant is not valid any more
     */
    Optional<BlockId> fence();

    /** The block that holds the lock for this caller, and perhaps for others of its process. */
    BlockId block();

    /** The user's data in the lock's item, as this grant found it or has put it last. */
    LockData data();

    /**
     * Writes the user's data, after what was to be written before. Completes on the event loop with whether it is written: if
     * not, the grant was over before that was known. Fails with a {@link StoreFailure} that is for good; whether the
     * lock is held is not changed by that.
     */
    CompletableFuture<Boolean> putData(LockData data);

    /**
     * Runs the callback once, as soon as {@link #remainingValidity()} is not more than this, or the lock is lost; not if it is
     * released before; where the news of losses are told. If {@link #limit} has put the end off meanwhile, once more before that.
     */
    void onExpiring(Duration before, Runnable callback);

    /**
     * Goes on as a reader, with the same number, in one write: this grant is over then, without being released or lost.
     * Completes on the event loop, empty if the lock was lost or released before.
     *
     * @throws IllegalStateException if it is not held as {@link Kind#WRITE}
     */
    CompletableFuture<Optional<Grant>> downgrade();

    /**
     * Runs the callback once when the lock is lost before it was released, at once if it already is; on the executor that
     * the engine was made with.
     */
    void onLost(Runnable callback);

    /**
     * Releases the lock; idempotent. Completes on the event loop with whether it was still this caller's, when the
     * release has been written, or has failed once (it is then repeated in the background), or need not be written.
     */
    CompletableFuture<Boolean> release();

    /**
     * As {@link #release()}, and leaves this data to the next, if the lock is still this caller's: by the write that takes
     * the block out, or by one that gives it a new number before its next caller's turn.
     */
    CompletableFuture<Boolean> release(LockData left);

    /** As {@link #release()}, of a lock under which nothing has run: it is not kept any longer. */
    default CompletableFuture<Boolean> giveBack() {
        HoldLimits limits = limits();
        while (limits.holdAtLeast() != null && isValid() && !limit(limits, new HoldLimits(limits.maxHold(), null))) {
            limits = limits();
        }
        return release();
    }
}
