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
 * One grant of a lock to one caller. It ends once: by its owner's release, or by a loss, whichever is first.
 * Thread-safe.
 */
public interface Grant {

    /** What its caller has asked for. */
    AcquireSpec spec();

    default LockKey key() {
        return spec().key();
    }

    /** As what the lock is held: as {@link Kind#READ}, too, once its writer goes on as a reader. */
    Kind kind();

    /** Greater than that of every earlier grant of the lock, unless both hold it beside each other. */
    long ticket();

    /** Notes which thread has taken it, by its id; 0 for none. The engine makes nothing of it. */
    void takenBy(long thread);

    /** That thread. */
    long takenBy();

    /** The wall clock at the grant. */
    Instant since();

    /** How long it has been held in all; stands still once it is over. */
    Duration held();

    /** Whether the lock is certainly still this caller's, by both clocks. */
    boolean isValid();

    /** Why it is lost, if it is; empty while it is valid, and after its owner's release in time. */
    Optional<LossReason> loss();

    /** How long the lock stays this caller's if no further heartbeat gets through; zero if it is not. */
    Duration remaining();

    /** For how long the lock may and must be held, as the caller has asked for it or has changed it last. */
    HoldLimits limits();

    /**
     * Changes that. Where the new longest hold is over already, the lock is lost by it.
     *
     * @param before what {@link #limits()} has said
     * @return whether it is changed: not if the grant is not valid, or if the limits were changed since
     */
    boolean limit(HoldLimits before, HoldLimits after);

    /**
     * The entry that stands in the queue as long as this caller holds the lock, for a condition that it does. From the
     * first call on, no later caller is granted the lock by this entry.
     *
     * @return empty if the grant is not valid any more
     */
    Optional<Entry> fence();

    /** The entry by which it has the lock; another one after the lock's item was written for this holder. */
    Entry entry();

    /** The user's data, as this grant found it or has written it last. */
    LockData data();

    /**
     * Writes the user's data, after what was to be written before. Completes on the event loop with whether it is
     * written: if not, the grant was over before that was known. Fails with a {@link
     * io.dynamolock.internal.store.StoreFailure} that is for good; whether the lock is held is not changed by that.
     */
    CompletableFuture<Boolean> putData(LockData data);

    /**
     * Runs the callback once, as soon as {@link #remaining()} is not more than this, or the lock is lost; not if it is
     * released before; on the event loop or on the thread that finds it lost. If {@link #limit} has put the end off
     * meanwhile, once more before that.
     *
     * @throws IllegalArgumentException if so little is left before each heartbeat, though all is well
     */
    void onExpiring(Duration before, Runnable callback);

    /**
     * Goes on as a reader, with the same ticket, in one write. Completes on the event loop with whether it does: not if
     * the lock was lost or released before.
     *
     * @throws IllegalStateException if it is not held as {@link Kind#WRITE}
     */
    CompletableFuture<Boolean> downgrade();

    /**
     * Runs the callback once when the lock is lost before it was released, at once if it already is; on the event loop
     * or on the thread that finds it lost, so it must return at once.
     */
    void onLost(Runnable callback);

    /**
     * Releases the lock; idempotent. Completes on the event loop with whether it was still this caller's, when the
     * release has been written, or has failed once (what is left is then done in the background), or need not be
     * written.
     *
     * @param dataForNext what the next holder finds; {@code null} to leave the data as it is
     */
    CompletableFuture<Boolean> release(@Nullable LockData dataForNext);

    /** As {@link #release(LockData)}, leaving the data as it is. */
    default CompletableFuture<Boolean> release() {
        return release(null);
    }

    /** As {@link #release()}, of a lock under which nothing has run: nothing keeps it any longer. */
    CompletableFuture<Boolean> giveBack();
}
