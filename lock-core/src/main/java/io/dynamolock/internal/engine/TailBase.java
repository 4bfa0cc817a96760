package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.time.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/**
 * What the tail of a new item starts from: the wall clock, or a greater number if this process has seen a greater tail,
 * so that fencing tokens go on rising when an item was removed and is made again. Lives on the event loop.
 */
final class TailBase {

    /**
     * A tail that is further ahead of the clock than this is not believed: no clock is that wrong. A tail that somebody
     * has put into one item by hand must not make the tails of new items run out of numbers.
     */
    private static final long MOST_AHEAD = TimeUnit.DAYS.toMicros(365);

    private final TimeSource time;

    /** The greatest believable tail that was seen. Never falls. */
    private long greatestTail;

    TailBase(TimeSource time) {
        this.time = time;
    }

    void seen(LockItem item) {
        if (item.tail() < clock() + MOST_AHEAD) {
            greatestTail = Math.max(greatestTail, item.tail());
        }
    }

    long next() {
        return Math.max(clock(), greatestTail + 1);
    }

    /** The wall clock in microseconds since the epoch. */
    private long clock() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time.now());
    }
}
