package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockItem;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What the tail of a new item starts from: the store's time, or a greater number if this process has seen a greater
 * tail, so that fencing tokens go on rising when an item was removed and is made again. All processes have the same
 * store, so it does not matter whose wall clock is wrong. Lives on the event loop.
 */
final class TailBase {

    /**
     * A tail that is further ahead of the clock than this is not believed: no clock is that wrong. A tail that somebody
     * has put into one item by hand must not make the tails of new items run out of numbers.
     */
    private static final long MOST_AHEAD = TimeUnit.DAYS.toMicros(365);

    private final Supplier<Instant> storeTime;

    /** The greatest believable tail that was seen. Never falls. */
    private long greatestTail;

    /** @param storeTime tells the store's time, or this machine's if the store does not tell */
    TailBase(Supplier<Instant> storeTime) {
        this.storeTime = storeTime;
    }

    void seen(LockItem item) {
        if (item.tail() < clock() + MOST_AHEAD) {
            greatestTail = Math.max(greatestTail, item.tail());
        }
    }

    long next() {
        return Math.max(clock(), greatestTail + 1);
    }

    /** Microseconds since the epoch. */
    private long clock() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, storeTime.get());
    }
}
