package io.dynamolock;

import java.time.Duration;

/** One term of a leader: from {@link LeaderListener#granted} until it is revoked or resigned. Thread-safe. */
public interface Leadership {

    /** The name of the election. */
    String name();

    /**
     * The number of this term: greater than that of every earlier leader of this name, fixed for the term. Send it with
     * every write that only the leader may make and have the receiver refuse smaller ones than it has seen; then not
     * even a leader that was frozen and does not know yet that another leads can do harm.
     */
    long fencingToken();

    /**
     * Whether no other process can be leader now. Asks the clocks of this machine, not the table. Once {@code false}, it
     * stays so. It becomes {@code false} before {@link LeaderListener#revoked} or {@link LeaderListener#resigned} is
     * called.
     */
    boolean isValid();

    /**
     * How long this stays so even if no further heartbeat gets through; zero if it is over. As long as heartbeats get
     * through, this is between the lease and the lease less one heartbeat interval.
     */
    Duration remainingValidity();
}
