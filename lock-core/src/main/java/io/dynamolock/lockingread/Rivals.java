package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The locks in an item that are not respected.
 *
 * @param silent has been watched for its whole lease
 * @param overBefore ended before this time by the wall clock
 * @param givenUp the token of a lock of this process that no caller knows of
 */
record Rivals(Optional<ItemLock> silent, Optional<Instant> overBefore, Optional<String> givenUp) {

    static Rivals of(ItemId item, TakeOver takeOver, Observations observations, TimeSource time) {
        Optional<String> givenUp = observations.givenUp(item);
        if (takeOver instanceof TakeOver.ByWallClock byWallClock) {
            return new Rivals(Optional.empty(), Optional.of(time.now().minus(byWallClock.maxClockSkew())), givenUp);
        }
        return new Rivals(
                observations
                        .lastSeen(item)
                        .filter(seen -> takeOver.remaining(seen, time).compareTo(Duration.ZERO) <= 0)
                        .map(Observations.Seen::lock),
                Optional.empty(),
                givenUp);
    }
}
