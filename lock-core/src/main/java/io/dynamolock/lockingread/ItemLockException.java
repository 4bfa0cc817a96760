package io.dynamolock.lockingread;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The parent of everything that can go wrong with the lock of one item. The class of an exception tells whether the
 * lock may still be held. Failures of DynamoDB itself are not among them: those arrive as the SDK's own exceptions.
 */
public abstract sealed class ItemLockException extends RuntimeException
        permits ItemChangedException,
                ItemLockedException,
                ItemLockInterruptedException,
                ItemLockLostException,
                ItemNotFoundException {

    private static final long serialVersionUID = 1L;

    private final ItemId item;

    ItemLockException(ItemId item, String message) {
        super(message);
        this.item = item;
    }

    /** The name of the item's table. */
    public String tableName() {
        return item.table();
    }

    /** The key of the item, by attribute. It may be personal data: mind where it is logged. */
    public Map<String, AttributeValue> key() {
        return item.key();
    }
}
