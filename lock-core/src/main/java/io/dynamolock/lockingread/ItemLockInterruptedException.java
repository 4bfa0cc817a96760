package io.dynamolock.lockingread;

/**
 * The thread was interrupted before it waited for an item, or while it did. Its interrupt flag is set. The caller holds
 * nothing. If the item was locked at the same moment, it was released, or will be free when the lease is over.
 */
public final class ItemLockInterruptedException extends ItemLockException {

    private static final long serialVersionUID = 1L;

    ItemLockInterruptedException(ItemId item, Throwable cause) {
        super(item, "Interrupted while waiting for the " + item + "; it is not locked by this caller.");
        initCause(cause);
    }
}
