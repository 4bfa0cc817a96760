package io.dynamolock.store;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.LockItem;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Some of the locks that have an item, in the order in which the store has them.
 *
 * @param locks may be empty though further pages are not
 * @param last where the page ended; {@code null} if it was the last
 */
public record LockPage(
        Map<LockKey, LockItem> locks, @Nullable Mark last) {

    public LockPage {
        locks = Collections.unmodifiableMap(new LinkedHashMap<>(locks));
    }

    /** A place in the store, by the two keys of the item that lies there. */
    public record Mark(String partitionKey, String sortKey) {}
}
