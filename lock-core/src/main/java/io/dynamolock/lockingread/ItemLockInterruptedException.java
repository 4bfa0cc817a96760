package io.dynamolock.lockingread;

/**
 * The thread was interrupted before or while it waited for an item. Its interrupt flag is set. The caller holds
 * nothing: if the item was locked in the same moment, it was released, or is free when the lease is over.
 */
public final class ItemLockInterruptedException extends ItemLockException {

    private static final long serialVersionUID = 1L;

    ItemLockInterruptedException(ItemId item, Throwable cause) {
        super(item, "Interrupted while waiting for the " + item + "; it is not locked by this caller.");
        initCause(cause);
    }
}
