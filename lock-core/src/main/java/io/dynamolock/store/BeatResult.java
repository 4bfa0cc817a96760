package io.dynamolock.store;

import java.util.Set;

/** The answer to a heartbeat. */
public sealed interface BeatResult {

    /** The session lives; these of its blocks are disputed, less those the beat settled. */
    record Alive(Set<Dispute> disputes) implements BeatResult {

        public Alive {
            disputes = Set.copyOf(disputes);
        }
    }

    /** The session's item does not exist: it was buried or ended, for good. */
    record Gone() implements BeatResult {}
}
