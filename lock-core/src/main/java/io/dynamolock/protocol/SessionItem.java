package io.dynamolock.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * One session as the table has it. The session lives as long as its item exists.
 *
 * @param beat counts the session's heartbeats
 * @param lease how long the same beat must be seen before the session may be buried
 * @param owner a name of its process for people
 * @param beatAt the wall clock of its process at its last beat
 * @param disputes what its process has not answered yet
 */
public record SessionItem(long beat, Duration lease, String owner, Instant beatAt, Set<Dispute> disputes) {

    public SessionItem {
        disputes = Set.copyOf(disputes);
    }
}
