package io.dynamolock.spring.annotation;

/** When the lock of a {@link DynamoLocked} method is released. */
public enum ReleaseTime {

    /** When the method ends, even if a transaction around it goes on. */
    METHOD_END,

    /**
     * When the transaction that was active at the call has ended, with all of its callbacks, so that the next caller
     * sees what was committed. Without a transaction, when the method ends. If the lock is lost before the commit, the
     * transaction is rolled back, unless the method says {@link OnLost#IGNORE}.
     *
     * <p>A method that returns a future never waits for a transaction: its lock is released when the future ends, even
     * with this setting. A stream or a suspending function waits for the reactive transaction of its subscriber.
     */
    TRANSACTION_END
}
