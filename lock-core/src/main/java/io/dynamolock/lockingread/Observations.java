package io.dynamolock.lockingread;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What this process has seen of locks that others hold, and which locks of its own it gave up without knowing whether
 * it had them. It is kept between calls, so that a caller that never waits can still take over what a dead process
 * left. Bounded: what was not asked for longest is forgotten, which makes a take-over later, never wrong. Thread-safe.
 */
final class Observations {

    static final int MOST = 1_000;

    private final Map<ItemId, Seen> seen = new Recent<>();
    private final Map<ItemId, String> givenUp = new Recent<>();

    /** @param sinceNanos when the answer came that first showed the lock like this, by the monotonic clock */
    record Seen(ItemLock lock, long sinceNanos) {}

    /** Notes what an answer shows. */
    synchronized Seen see(ItemId item, ItemLock lock, long nanos) {
        Seen known = seen.get(item);
        if (known != null && known.lock().equals(lock)) {
            return known;
        }
        Seen first = new Seen(lock, nanos);
        seen.put(item, first);
        return first;
    }

    synchronized Optional<Seen> lastSeen(ItemId item) {
        return Optional.ofNullable(seen.get(item));
    }

    /** A lock with this token may stand in the item, or yet come to stand there, and no caller knows of it. */
    synchronized void giveUp(ItemId item, String token) {
        givenUp.put(item, token);
    }

    synchronized Optional<String> givenUp(ItemId item) {
        return Optional.ofNullable(givenUp.get(item));
    }

    /** The item is free, gone, or this process's. */
    synchronized void forget(ItemId item) {
        seen.remove(item);
        givenUp.remove(item);
    }

    private static final class Recent<V> extends LinkedHashMap<ItemId, V> {

        private static final long serialVersionUID = 1L;

        Recent() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<ItemId, V> eldest) {
            return size() > MOST;
        }
    }
}
