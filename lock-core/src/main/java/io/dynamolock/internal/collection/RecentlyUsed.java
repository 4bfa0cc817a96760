package io.dynamolock.internal.collection;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that forgets what was not used for longest as soon as there is more than it may hold. Not thread-safe. */
public final class RecentlyUsed<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1L;

    private final int most;

    /** @param most how many entries it may hold */
    public RecentlyUsed(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
