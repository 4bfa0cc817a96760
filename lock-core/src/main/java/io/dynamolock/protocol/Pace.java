package io.dynamolock.protocol;

import java.time.Duration;

/**
 * How soon a process that waits looks again.
 *
 * @param min for those near the front
 * @param max the longest time between two looks from within the queue
 */
public record Pace(Duration min, Duration max) {

    /** So many places at the front look as often as the first. */
    private static final int NEAR = 4;

    /** They learn of the end of a long hold late by one part in so many of its time. */
    private static final int LATE_BY = 40;

    /**
     * Further back, only one part in so many counts of the time for which the same block has been first: often its process
     * only has not looked yet.
     */
    private static final int BELIEVED = 8;

    /** Nobody's wait ends before it has looked so often, less one for the way. */
    private static final int LOOKS = 4;

    /** A process that found the queue full looks so much less often than one within it. */
    private static final int DOOR = 3;

    /** It looks sooner the longer it has waited: twice as often after so long, and not more than four times. */
    private static final Duration DOOR_HALF = Duration.ofSeconds(30);

    private static final Duration SHORTEST = Duration.ofMillis(1);

    /**
     * Near the front, or when the wait would end otherwise, soon; else when about a third of those have gone that must go
     * before this process comes near the front.
     *
     * @param place how many blocks stand before this process's, at least 1
     * @param sameFirst how long the block that is first has been seen there
     * @param perBlock how long a block at the front has taken lately
     * @param wait the shortest wait of those who look
     */
    public Duration next(int place, Duration sameFirst, Duration perBlock, Duration wait) {
        Duration delay = place <= NEAR
                ? sameFirst.dividedBy(LATE_BY)
                : longer(perBlock, sameFirst.dividedBy(BELIEVED))
                        .multipliedBy(place - NEAR)
                        .dividedBy(3);
        Duration mostForWait = longer(wait.dividedBy(LOOKS), SHORTEST);
        return shorter(shorter(longer(delay, min), max), mostForWait);
    }

    /**
     * For a process that found the queue full.
     *
     * @param waited how long its first caller has waited
     */
    public Duration atTheDoor(Duration waited, Duration wait) {
        double sooner = Math.min(3, waited.toMillis() / (double) DOOR_HALF.toMillis());
        Duration delay = Duration.ofNanos((long) (max.multipliedBy(DOOR).toNanos() / (1 + sooner)));
        return shorter(delay, longer(wait.dividedBy(LOOKS), SHORTEST));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
