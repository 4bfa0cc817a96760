package io.dynamolock.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The steps of the lock protocol, each one conditional write or one read on a linearizable store.
 *
 * <p>Implementations are thread-safe, never block the caller, read no clock, and make each call at most once: they
 * repeat nothing by themselves, because only the engine knows whether a repetition is still wanted. Every returned
 * stage completes, on any thread, with the typed result or exceptionally with a {@link StoreFailure}. {@code now} is
 * the caller's wall clock; it is stored for people and for housekeeping.
 */
public interface LockStore {

    /**
     * <b>Try</b>: takes {@code count} tickets and the lock in one write. Applied if the item does not exist, or nobody
     * holds the lock and {@code tail = serving}; the block's tickets then end with the state's {@code serving}. The
     * first ticket of a new item is {@code now} in microseconds since the epoch, plus one.
     */
    CompletionStage<WriteResult> tryAcquire(LockKey key, Claimant claimant, int count, Instant now);

    /**
     * <b>Take numbers</b>: advances {@code tail} by {@code count}, unconditionally; creates the item if need be. The
     * caller's tickets are the last {@code count} up to the returned state's {@code tail}. Not idempotent: a
     * repetition takes further tickets, which hurts nobody.
     */
    CompletionStage<LockState> takeNumbers(LockKey key, int count, Instant now);

    /** <b>Enter</b>: puts the block's waiter row. */
    CompletionStage<Void> enter(LockKey key, WaiterRow row);

    /** <b>Look</b>: reads the lock item and the first {@code limit} waiter rows, strongly consistent. */
    CompletionStage<QueueView> look(LockKey key, int limit);

    /**
     * <b>Claim</b>: makes the block the holder and {@code serving} its last ticket. Applied if the item exists,
     * {@code serving < last}, and nobody holds the lock or {@code dead}, a block whose session is dead, does.
     */
    CompletionStage<WriteResult> claim(LockKey key, Claimant claimant, long last, @Nullable BlockId dead, Instant now);

    /**
     * <b>Hand over</b>: makes {@code serving} the last ticket of the blocks that follow {@code from}, and the claimant
     * the holder: {@code from} itself, which then holds the lock since when it did, or its new id. Applied if
     * {@code from} holds the lock and {@code serving < last}.
     */
    CompletionStage<WriteResult> handOver(LockKey key, BlockId from, Claimant claimant, long last, Instant now);

    /**
     * <b>Extend</b>: takes {@code count} further tickets for the block that holds the lock, and serves them: a take
     * and a hand-over in one write. Applied if {@code block} holds the lock and {@code tail = serving}, so that no
     * ticket waits to be served; the new ones are the last {@code count} up to the state's {@code serving}. Not
     * idempotent: a repetition takes and serves further tickets, which hurts nobody.
     */
    CompletionStage<WriteResult> extend(LockKey key, BlockId block, int count, Instant now);

    /**
     * <b>Rename</b>: gives the holder a new block id. Applied if {@code from} holds the lock. A rename to the same id
     * just keeps the item from being cleaned away.
     */
    CompletionStage<WriteResult> rename(LockKey key, BlockId from, Claimant claimant, Instant now);

    /**
     * <b>Release</b>: removes the holder. Applied if {@code block} holds the lock; refused if not, also when an earlier
     * sending of this release took effect.
     */
    CompletionStage<WriteResult> release(LockKey key, BlockId block, Instant now);

    /** <b>Leave</b>, or evict: deletes the row that starts with this ticket if it belongs to this block. */
    CompletionStage<Void> deleteRow(LockKey key, long first, BlockId block);

    /** Creates the session's item with beat 0. Sent at most once for an id: ids are never reused. */
    CompletionStage<Void> createSession(SessionId id, Duration lease, String owner, Instant now);

    /**
     * Beats: sets the beat if the session's item exists and shows a smaller one, and removes the settled disputes from it.
     * A beat that lands after a later one, or for a second time, changes nothing and is answered as if it had.
     *
     * @param beat counts the beats of this session, from 1
     */
    CompletionStage<BeatResult> beat(SessionId id, long beat, Set<Dispute> settled, Instant now);

    /** Reads a session's item, strongly consistent; empty if it does not exist. */
    CompletionStage<Optional<SessionState>> readSession(SessionId id);

    /** <b>Bury</b>: deletes the session's item if it still shows this beat. */
    CompletionStage<BuryResult> bury(SessionId id, long beat);

    /** Deletes the own session's item, whatever it shows. */
    CompletionStage<Void> endSession(SessionId id);

    /** <b>Dispute</b>: adds the dispute to the holder's session item, if that exists and has room. */
    CompletionStage<DisputeResult> dispute(SessionId holder, Dispute dispute);

    /**
     * The store's own wall clock at its latest answer to a write, if it tells: the engine holds its process's clock
     * against it when a session has been created.
     */
    default Optional<Instant> lastAnsweredAt() {
        return Optional.empty();
    }
}
