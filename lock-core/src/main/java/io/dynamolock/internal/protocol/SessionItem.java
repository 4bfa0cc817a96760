package io.dynamolock.internal.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The item of one session in the table. The session lives as long as its item exists.
 *
 * @param heartbeat number of heartbeats so far
 * @param lease how long the session lives without a heartbeat; {@link FailureDetection} says when others may expire it
 * @param owner name of the session's process, for people
 * @param heartbeatAt the latest that the store's wall clock can have said when the last heartbeat was sent, as far as
 *     the session's process could tell; {@code null} if it could not tell
 * @param notices the texts of the {@linkplain Notice notices} that the process has not read yet, and any other text
 *     that somebody has written there. The order of iteration is the same in every run
 */
public record SessionItem(
        long heartbeat,
        Duration lease,
        String owner,
        @Nullable Instant heartbeatAt,
        Set<String> notices) {

    /** Maximum number of notices that a session item holds. */
    public static final int MOST_NOTICES = 20;

    public static final Duration SHORTEST_LEASE = Duration.ofMillis(500);
    public static final Duration LONGEST_LEASE = Duration.ofDays(1);

    /** The first instant whose text has a year of five digits. */
    private static final Instant END_OF_TIMES = Instant.parse("+10000-01-01T00:00:00Z");

    /** @throws IllegalArgumentException if a value is out of the range that processes write and the rules can handle */
    public SessionItem {
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("a lease of " + lease);
        }
        if (heartbeat < 0) {
            throw new IllegalArgumentException("a negative count of heartbeats: " + heartbeat);
        }
        if (heartbeatAt != null && !isTime(heartbeatAt)) {
            throw new IllegalArgumentException("a heartbeat at a time that is none: " + heartbeatAt);
        }
        notices = Collections.unmodifiableSet(new LinkedHashSet<>(notices));
    }

    /** Whether this can be the time of a heartbeat: it is not before 1970 nor after 9999. */
    public static boolean isTime(Instant instant) {
        return !instant.isBefore(Instant.EPOCH) && instant.isBefore(END_OF_TIMES);
    }
}
