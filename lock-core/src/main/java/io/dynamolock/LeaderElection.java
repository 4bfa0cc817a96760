package io.dynamolock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A candidate for leadership, made by {@link LockRegistry#elect}. It waits until it leads, and enters the queue again
 * whenever it does not lead any more, until it or its registry is closed, even if this object is dropped. Thread-safe.
 *
 * <p>Candidates lead in the order in which they entered the queue. An election is a lock in the namespace
 * {@value #NAMESPACE}: {@link LockAdmin#inspect(String, String)} shows who leads and who waits.
 */
public interface LeaderElection extends AutoCloseable {

    /** The namespace of the locks that elections are. */
    String NAMESPACE = "leader";

    /** The name of the election. */
    String name();

    /** Whether this candidate leads and no other process can. By the clocks of this machine, without a call to the table. */
    boolean isLeader();

    /** The present term if this candidate {@linkplain #isLeader() leads}. */
    Optional<Leadership> leadership();

    /**
     * Gives up the leadership and enters the queue again, behind all that wait now; if no candidate waits, it leads
     * again, with a greater number. Does nothing if this candidate does not lead. Returns at once:
     * {@link LeaderListener#resigned} is called, and others can lead when it has returned.
     */
    @SuppressWarnings("NamedLikeContextualKeyword")
    void yield();

    /**
     * Ends this candidacy without waiting for that. A leader is told by {@link LeaderListener#resigned}, and others can
     * lead when that has returned. Idempotent. The future completes, never exceptionally, when a leader's lock is given back
     * and no callback is called any more; a candidate that waits leaves the queue a little later. Cancelling it changes
     * nothing.
     */
    CompletableFuture<Void> closeAsync();

    /**
     * As {@link #closeAsync()}, and waits for the end, except in a callback of this election. An interrupt ends the
     * waiting, not the closing: the interrupt flag is kept.
     */
    @Override
    void close();

    /** One term of a leader: from {@link LeaderListener#granted} until it is revoked or resigned. Thread-safe. */
    interface Leadership {

        /** The name of the election. */
        String name();

        /**
         * The number of this term: greater than that of every earlier leader of this name, fixed for the term. Send it with
         * every write that only the leader may make and have the receiver refuse smaller ones than it has seen; then not
         * even a leader that was frozen and does not know yet that another leads can do harm.
         */
        long fencingToken();

        /**
         * Whether no other process can be leader now. By the clocks of this machine, without a call to the table. Once {@code false}, it
         * stays so. It becomes {@code false} before {@link LeaderListener#revoked} or {@link LeaderListener#resigned} is
         * called.
         */
        boolean isValid();

        /**
         * How long this stays so even if no further heartbeat gets through; zero if it is over. See
         * {@link LockHandle#remainingValidity}.
         */
        Duration remainingValidity();
    }
}
