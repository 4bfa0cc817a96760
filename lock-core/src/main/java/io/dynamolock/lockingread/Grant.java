package io.dynamolock.lockingread;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An item that was locked.
 *
 * @param read the item with its key and its lock
 * @param created whether there certainly was no item before
 */
record Grant(ItemId item, ItemLock lock, Lease lease, Map<String, AttributeValue> read, boolean created) {

    /** Whether there is nothing in the item but its key and its lock. */
    boolean isBare(LockAttributes names) {
        return read.keySet().stream()
                .allMatch(name -> item.key().containsKey(name) || names.all().contains(name));
    }
}
