package io.dynamolock.internal.protocol;

import io.dynamolock.internal.time.Durations;
import java.time.Duration;

/**
 * Decides how long a waiting process pauses between two reads of a lock. The pause is counted from the sending of a
 * read; the next read is never sent before the answer.
 *
 * <p>"The front" is the first entry of a queue. A process is "next in line" if only one entry is ahead of its
 * own.
 *
 * @param min shortest pause; only a wait that is shorter than four such pauses makes it shorter
 * @param max longest pause
 */
public record PollingInterval(Duration min, Duration max) {

    /** The process next in line pauses for the time that the front has held the lock so far, divided by this number. */
    private static final int PART_OF_HOLD = 40;

    /**
     * The other processes assume that each entry holds the lock at least for the time that the front has not changed,
     * divided by this number. The whole time would be too much, because the front's process may simply not have noticed
     * yet that it holds the lock.
     */
    private static final int PART_OF_TIME_AT_FRONT = 8;

    /** The other processes pause for the time until they are next in line, divided by this number. */
    private static final int PART_OF_TIME_AHEAD = 3;

    /** Minimum number of reads within a wait; the last of them may be answered too late. */
    private static final int READS_OF_A_WAIT = 4;

    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** Weight of the previous mean, in entries. */
    private static final int WEIGHT_OF_MEAN = 7;

    /** This interval, but with a shortest pause of at least so much; its longest pause stays. */
    public PollingInterval noShorterThan(Duration least) {
        return new PollingInterval(Durations.longer(min, least), max);
    }

    /**
     * The pause before the next read. The process next in line reads soon. Any other process reads when about a third
     * of the time has passed until it is next in line. Both read earlier if a wait would otherwise end with too few
     * reads. A process that has found the queue full reads as if its entry were at the end of the queue.
     *
     * @param ahead number of entries before this process's own, at least 1
     * @param frontUnchangedFor how long this process has seen the same entry at the front of the queue
     * @param perEntry mean time that an entry has been at the front lately
     * @param shortestWait total length of the shortest wait among the callers of this process
     */
    public Duration next(int ahead, Duration frontUnchangedFor, Duration perEntry, Duration shortestWait) {
        Duration perEntryAhead = Durations.longer(perEntry, frontUnchangedFor.dividedBy(PART_OF_TIME_AT_FRONT));
        Duration untilNextInLine = perEntryAhead.multipliedBy(ahead - 1L);
        Duration pause =
                ahead == 1 ? frontUnchangedFor.dividedBy(PART_OF_HOLD) : untilNextInLine.dividedBy(PART_OF_TIME_AHEAD);
        Duration longestForWait = Durations.longer(shortestWait.dividedBy(READS_OF_A_WAIT), SHORTEST);
        return Durations.shorter(Durations.shorter(Durations.longer(pause, min), max), longestForWait);
    }

    /**
     * The mean time that an entry is at the front of the queue, updated by the entries that have left since the last
     * read. Every entry counts: the more of them have left, the less the previous mean counts.
     *
     * @param mean the previous mean; zero if there is none
     * @param took the time in which the entries have left
     * @param gone number of entries that have left, at least 1
     */
    public static Duration perEntry(Duration mean, Duration took, int gone) {
        int weight = mean.isZero() ? 0 : WEIGHT_OF_MEAN;
        return mean.multipliedBy(weight).plus(took).dividedBy(weight + gone);
    }
}
