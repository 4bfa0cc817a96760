package io.dynamolock.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One session as the table has it. The session lives as long as its item exists.
 *
 * @param beat counts the session's heartbeats
 * @param lease how long the same beat must be seen before the session may be buried
 * @param owner a name of its process for people
 * @param beatAt the wall clock of its process at its last beat
 * @param disputes what its process has not answered yet
 * @param evictions what its process has been told to give up, and has not obeyed yet
 * @param keptUntil set if its process has stopped, and left it behind to keep a lock until then by the store's clock:
 *     nobody beats it, and nobody holds a lock under it
 */
public record SessionItem(
        long beat,
        Duration lease,
        String owner,
        Instant beatAt,
        Set<Dispute> disputes,
        Set<Eviction> evictions,
        @Nullable Instant keptUntil) {

    public static final Duration SHORTEST_LEASE = Duration.ofMillis(500);
    public static final Duration LONGEST_LEASE = Duration.ofDays(1);

    /** How long a stopped process may want a lock kept. */
    public static final Duration LONGEST_KEEPING = Duration.ofDays(36_500);

    /** Times are written with years of four digits. */
    private static final Instant END_OF_TIMES = Instant.parse("+10000-01-01T00:00:00Z");

    /** The session of a process that runs. */
    public SessionItem(long beat, Duration lease, String owner, Instant beatAt, Set<Dispute> disputes) {
        this(beat, lease, owner, beatAt, disputes, null);
    }

    /** One that nobody was told to give anything up. */
    public SessionItem(
            long beat,
            Duration lease,
            String owner,
            Instant beatAt,
            Set<Dispute> disputes,
            @Nullable Instant keptUntil) {
        this(beat, lease, owner, beatAt, disputes, Set.of(), keptUntil);
    }

    /** @throws IllegalArgumentException if no process writes such a session, and the rules could not reckon with it */
    public SessionItem {
        // One that keeps a lock is not beaten, and its lease is the rest of the time for which it does.
        Duration shortest = keptUntil == null ? SHORTEST_LEASE : Duration.ZERO;
        Duration longest = keptUntil == null ? LONGEST_LEASE : LONGEST_KEEPING;
        if (lease.compareTo(shortest) < 0 || lease.compareTo(longest) > 0) {
            throw new IllegalArgumentException("a lease of " + lease + ", not from " + shortest + " to " + longest);
        }
        if (beat < 0) {
            throw new IllegalArgumentException("a negative count of beats: " + beat);
        }
        requirePlausible(beatAt);
        if (keptUntil != null) {
            requirePlausible(keptUntil);
        }
        disputes = inOrder(disputes);
        evictions = inOrder(evictions);
    }

    private static void requirePlausible(Instant time) {
        if (time.isBefore(Instant.EPOCH) || !time.isBefore(END_OF_TIMES)) {
            throw new IllegalArgumentException("a time that is none of a process: " + time);
        }
    }

    /** A copy with the same order in every run, which {@link Set#copyOf} does not have: a simulation must be able to replay a seed. */
    static <T> Set<T> inOrder(Set<T> some) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(some));
    }

    SessionItem withDisputes(Set<Dispute> others) {
        return new SessionItem(beat, lease, owner, beatAt, others, evictions, keptUntil);
    }

    SessionItem withEvictions(Set<Eviction> others) {
        return new SessionItem(beat, lease, owner, beatAt, disputes, others, keptUntil);
    }
}
