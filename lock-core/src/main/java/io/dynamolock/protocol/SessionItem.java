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

    public SessionItem {
        disputes = inOrder(disputes);
        evictions = inOrder(evictions);
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
