package io.dynamolock.lockingread;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The superclass of all exceptions about the lock of one item. The class of an exception tells whether the lock may
 * still be held. Failures of DynamoDB itself arrive as exceptions of the SDK instead.
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

    /** The attributes of the item's key. They may be personal data: take care where they are logged. */
    public Map<String, AttributeValue> key() {
        return item.key();
    }
}
