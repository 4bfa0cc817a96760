package io.dynamolock.internal.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One session as the table has it. The session lives as long as its item exists.
 *
 * @param heartbeat counts the session's heartbeats
 * @param lease how long the same heartbeat must be seen before others may expire the session
 * @param owner a name of its process for people
 * @param heartbeatAt the wall clock of its process at its last heartbeat
 * @param notices what its process has not heard yet, in the same order in every run: the texts of {@linkplain Notice notices}, and
 *     whatever else somebody has written there
 */
public record SessionItem(long heartbeat, Duration lease, String owner, Instant heartbeatAt, Set<String> notices) {

    /** How many notices a session carries at the most. */
    public static final int MOST_NOTICES = 20;

    public static final Duration SHORTEST_LEASE = Duration.ofMillis(500);
    public static final Duration LONGEST_LEASE = Duration.ofDays(1);

    /** Times are written with years of four digits. */
    private static final Instant END_OF_TIMES = Instant.parse("+10000-01-01T00:00:00Z");

    /** @throws IllegalArgumentException if no process writes such a session, and the rules could not reckon with it */
    public SessionItem {
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("a lease of " + lease);
        }
        if (heartbeat < 0) {
            throw new IllegalArgumentException("a negative count of heartbeats: " + heartbeat);
        }
        if (heartbeatAt.isBefore(Instant.EPOCH) || !heartbeatAt.isBefore(END_OF_TIMES)) {
            throw new IllegalArgumentException("a heartbeat at a time that is none: " + heartbeatAt);
        }
        notices = Collections.unmodifiableSet(new LinkedHashSet<>(notices));
    }
}
