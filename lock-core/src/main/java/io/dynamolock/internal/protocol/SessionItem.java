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
 * @param notices what its process has not heard yet, in the same order in every run
 */
public record SessionItem(long heartbeat, Duration lease, String owner, Instant heartbeatAt, Set<Notice> notices) {

    /** How many notices a session carries at the most. */
    public static final int MOST_NOTICES = 20;

    public SessionItem {
        notices = Collections.unmodifiableSet(new LinkedHashSet<>(notices));
    }
}
