package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One grant of a lock to one caller, the grant's owner. It ends once: by its owner's release or by a loss, whichever
 * comes first. Thread-safe.
 */
public interface Grant {

    /** What the owner has asked for. */
    AcquireSpec spec();

    default LockKey key() {
        return spec().key();
    }

    /** In which way the lock is held. Once a {@link Kind#WRITE} has gone on as a reader, {@link Kind#READ}. */
    Kind kind();

    /**
     * The fencing token: greater than the ticket of every earlier grant of the lock, except of grants that hold the
     * lock beside this one.
     */
    long ticket();

    /** Notes the id of the thread that has taken the grant; 0 for none. The engine does not use it. */
    void takenBy(long thread);

    /** The id of the thread that has taken the grant, as noted last; 0 for none. */
    long takenBy();

    /** When the lock was granted, by the wall clock. */
    Instant since();

    /** How long the lock has been held; once the grant has ended, how long it was held. */
    Duration held();

    /** Whether the lock is certainly still this caller's, by both clocks. */
    boolean isValid();

    /** Why the grant is lost; empty if it is valid, or was released in time. */
    Optional<LossReason> loss();

    /** How long the grant stays valid if no further heartbeat gets through; zero if it is not valid. */
    Duration remaining();

    /** How long the lock may and must be held, as the owner has asked for it or has last changed it. */
    HoldLimits limits();

    /**
     * Changes the limits. If the new longest hold is over already, the grant is lost.
     *
     * @param before the limits as {@link #limits()} has returned them
     * @return whether the limits were changed; not if the grant is not valid, or the limits are not {@code before} any
     *     more
     */
    boolean limit(HoldLimits before, HoldLimits after);

    /**
     * The entry that stands in the queue as long as the owner holds the lock, so that a transaction can have the
     * condition that it stands there. From the first call on, no later caller is granted the lock by this entry.
     *
     * @return empty if the grant is not valid
     */
    Optional<Entry> fence();

    /** The entry by which the lock is held. Another entry, once this one was reissued for the owner. */
    Entry entry();

    /** The user's data, as this grant found it or has last written it. */
    LockData data();

    /**
     * Writes the user's data. Completes on the event loop with {@code true} when this data, or data of a later call, is
     * written, and with {@code false} if the grant has ended before that was known. Fails with a {@link
     * io.dynamolock.internal.store.StoreFailure} if the store refuses the data; the lock is held as before then.
     */
    CompletableFuture<Boolean> putData(LockData data);

    /**
     * Runs the callback once, as soon as {@link #remaining()} is not more than {@code before}, or the lock is lost. The
     * callback does not run if the lock is released before. It runs once more each time that {@link #limit} or a late
     * heartbeat has put the end off and the end comes near again. It runs on the event loop, or on the thread that
     * finds the lock lost, so it must return at once.
     *
     * @throws IllegalArgumentException if {@code before} is not more than zero, or so long that no more than this may
     *     be left although every heartbeat gets through
     */
    void onExpiring(Duration before, Runnable callback);

    /**
     * Makes the owner, a writer, go on as a reader with the same ticket, by one write. Completes on the event loop with
     * {@code true} when that is written, and with {@code false} if the grant has ended before.
     *
     * @throws IllegalStateException if the owner has not asked for the lock as {@link Kind#WRITE}
     */
    CompletableFuture<Boolean> downgrade();

    /**
     * Runs the callback once when the lock is lost before it was released; now, if it is lost already. The callback
     * runs on the event loop, or on the thread that finds the lock lost, so it must return at once.
     */
    void onLost(Runnable callback);

    /**
     * Releases the lock; idempotent. Completes, on the event loop or on the thread that finds the grant ended, with
     * whether the owner still held the lock. Completes when the release is written or need not be written, and also
     * when the write has failed once: then the rest is done in the background.
     *
     * @param dataForNext what the next holder finds; {@code null} to leave the data as it is
     */
    CompletableFuture<Boolean> release(@Nullable LockData dataForNext);

    /** As {@link #release(LockData)}, leaving the data as it is. */
    default CompletableFuture<Boolean> release() {
        return release(null);
    }

    /**
     * As {@link #release()}, for an owner that does not wait for the answer. So the entry may stay in the queue for the
     * time that the {@linkplain ReleaseTerms#stay owner's terms} say; then the release is done when the stay begins.
     */
    CompletableFuture<Boolean> releaseUnawaited();

    /** As {@link #release()}, for a lock under which nothing has run: its shortest hold does not count. */
    CompletableFuture<Boolean> giveBack();
}
