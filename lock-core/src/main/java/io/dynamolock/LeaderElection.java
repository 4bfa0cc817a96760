package io.dynamolock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A candidate for leadership, made by {@link LockRegistry#elect}. It waits until it leads, and whenever it has stopped
 * leading, it enters the queue again. This goes on until the candidate or its registry is closed, even if this object
 * is garbage collected. Thread-safe.
 *
 * <p>Candidates lead in the order in which they entered the queue. An election is a lock in the namespace
 * {@value #NAMESPACE}: {@link LockAdmin#inspect(String, String)} shows who leads and who waits.
 */
public interface LeaderElection extends AutoCloseable {

    /** The namespace of the locks by which leaders are elected. */
    String NAMESPACE = "leader";

    /** The name of the election. */
    String name();

    /**
     * Whether this candidate leads, so that no other process can lead. Decided by the clocks of this machine, without a
     * call to the table.
     */
    boolean isLeader();

    /** The present term; empty if this candidate does not {@linkplain #isLeader() lead}. */
    Optional<Leadership> leadership();

    /**
     * Gives up the leadership and enters the queue again, behind all candidates that are waiting now. If no candidate
     * waits, this candidate leads again, with a greater number. Does nothing if this candidate does not lead. Returns
     * at once. Then {@link LeaderListener#resigned} is called, and others can lead when that call has returned.
     */
    @SuppressWarnings("NamedLikeContextualKeyword")
    void yield();

    /**
     * Ends this candidacy, without waiting for its end. If the candidate leads, {@link LeaderListener#resigned} is
     * called, and others can lead when that call has returned. Idempotent. The future completes, never exceptionally,
     * when the leader's lock is released and no callback is called any more; a candidate that waits leaves the queue a
     * little later. Cancelling the future changes nothing.
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
         * The number of this term: greater than the number of every earlier term of this name, fixed for the term. Send
         * it with every write that only the leader may make, and let the receiver refuse every number that is smaller
         * than the greatest it has seen. Then not even a leader that was frozen, and does not yet know that another
         * process leads, can do harm.
         */
        long fencingToken();

        /**
         * Whether no other process can be leader now. Decided by the clocks of this machine, without a call to the
         * table. Once {@code false}, always {@code false}. Becomes {@code false} before {@link LeaderListener#revoked}
         * or {@link LeaderListener#resigned} is called.
         */
        boolean isValid();

        /**
         * How long no other process can be leader, even if no further heartbeat succeeds; zero if the term is over. See
         * {@link LockHandle#remainingValidity}.
         */
        Duration remainingValidity();
    }
}
