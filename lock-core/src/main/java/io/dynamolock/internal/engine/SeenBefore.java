package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Moment;

/**
 * What the engine remembers of a lock that nobody here wants any more.
 *
 * @param front what stood at the front of the queue
 * @param stays how callers came back to the lock, and whether others wanted it
 */
record SeenBefore(KnownItem.Front front, Stays.History stays) {

    static SeenBefore nothing(Moment now) {
        return new SeenBefore(KnownItem.Front.nothing(now), Stays.History.NOTHING);
    }
}
