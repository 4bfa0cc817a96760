package io.dynamolock.spring;

/** When the lock of a {@link DynamoLocked} method is released. */
public enum ReleaseTime {

    /** When the method ends, whatever becomes of a transaction around it. */
    METHOD_END,

    /**
     * When the transaction ends that was active as the method was called, after the last of its callbacks, so that the next
     * caller sees what it committed; without a transaction, when the method ends. If the lock is lost before the commit, the transaction is
     * rolled back, unless the method says {@link OnLost#IGNORE}.
     */
    TRANSACTION_END
}
