package io.dynamolock.internal.store;

import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list of the locks that have an item.
 *
 * @param locks the locks in the store's order; may be empty even if a later page is not
 * @param last where the next page continues; {@code null} if this is the last page
 */
public record LockPage(
        Map<LockKey, LockItem> locks, @Nullable Mark last) {

    public LockPage {
        locks = Collections.unmodifiableMap(new LinkedHashMap<>(locks));
    }

    /** A place in the store: the two keys of the item there. */
    public record Mark(String partitionKey, String sortKey) {}
}
