package io.dynamolock.engine;

import io.dynamolock.protocol.Eviction;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/** The evictions that a session's item has shown: each is news once, however often it is written. Lives on the event loop. */
final class HeardEvictions {

    /** A write that lands late brings an eviction back that was taken away. They are rare, and so many soon enough. */
    private static final int MEMORY = 1_000;

    private final Set<Eviction> heard = new LinkedHashSet<>();
    private final Set<Eviction> toTakeAway = new HashSet<>();

    /** What the next beat takes away. */
    Set<Eviction> toTakeAway() {
        return toTakeAway;
    }

    /**
     * @param shown by the answer to a beat
     * @param takenAway by that beat
     * @return those among them that were not heard of before
     */
    Set<Eviction> shown(Set<Eviction> shown, Set<Eviction> takenAway) {
        toTakeAway.removeAll(takenAway);
        toTakeAway.addAll(shown);
        Set<Eviction> news = new LinkedHashSet<>(shown);
        news.removeAll(heard);
        heard.addAll(news);
        for (Iterator<Eviction> oldest = heard.iterator(); heard.size() > MEMORY; ) {
            oldest.next();
            oldest.remove();
        }
        return news;
    }

    /** Another session begins. */
    void clear() {
        heard.clear();
        toTakeAway.clear();
    }
}
