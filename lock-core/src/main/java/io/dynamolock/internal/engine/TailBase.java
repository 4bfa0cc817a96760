package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.time.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/**
 * What the tail of a new item starts from: the wall clock, and more than any tail that this process has seen, so that
 * tokens go on rising when an item is made again. Lives on the event loop.
 */
final class TailBase {

    /**
     * Nobody's clock is so far ahead. A tail that somebody has put into one item must not take new items to the end of
     * all numbers.
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

    /** In microseconds since the epoch. */
    private long clock() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time.now());
    }
}
