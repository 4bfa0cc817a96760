package io.dynamolock.internal.protocol;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * How long after a read of a lock a process that waits sends the next one; but not before that is answered.
 *
 * @param min when it is next
 * @param max the longest
 */
public record PollingInterval(Duration min, Duration max) {

    /** The end of a long hold is seen late by one part in so many of its time. */
    private static final int LATE_BY = 40;

    /** Further back, only one part in so many counts of the time for which the same entry has been first: often its process has just
     *  not read yet. */
    private static final int BELIEVED = 8;

    /** No wait ends before so many reads, less one for the way. */
    private static final int READS_OF_A_WAIT = 4;

    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** What was known counts as much as so many entries. */
    private static final int REMEMBERED = 7;

    /**
     * Soon for the next in line, or when a wait would end otherwise; else when about a third of the time has passed until this process
     * is next. A process outside a full queue reads as if it stood behind all of it.
     *
     * @param ahead how many entries stand before this process's, at least 1
     * @param sameFirst how long the entry that is first has been seen there
     * @param perEntry how long an entry at the front has taken lately
     * @param shortestWait the shortest wait of those who read, from its beginning to its end
     */
    public Duration next(int ahead, Duration sameFirst, Duration perEntry, Duration shortestWait) {
        Duration each = longer(perEntry, sameFirst.dividedBy(BELIEVED));
        Duration untilNext = each.multipliedBy(ahead - 1L);
        Duration delay = ahead == 1 ? sameFirst.dividedBy(LATE_BY) : untilNext.dividedBy(3);
        Duration ofWait = longer(shortestWait.dividedBy(READS_OF_A_WAIT), SHORTEST);
        return Collections.min(List.of(longer(delay, min), max, ofWait));
    }

    /**
     * How long an entry at the front takes. Each counts: when many have gone since the last read, what was known before says little.
     *
     * @param known what was known before; zero for nothing
     * @param took the time in which these have gone
     * @param gone how many, at least 1
     */
    public static Duration perEntry(Duration known, Duration took, int gone) {
        int remembered = known.isZero() ? 0 : REMEMBERED;
        return known.multipliedBy(remembered).plus(took).dividedBy(remembered + gone);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
