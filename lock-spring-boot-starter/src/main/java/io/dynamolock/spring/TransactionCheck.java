package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Rolls a transaction back whose work ran under a lock that was lost before the commit. The lock is not released by it. Not to be
 * touched where Spring's transactions are not on the class path.
 */
final class TransactionCheck implements TransactionSynchronization {

    private final HeldByThread lock;

    private TransactionCheck(HeldByThread lock) {
        this.lock = lock;
    }

    /** For the transaction of this thread, once for each lock. Without a transaction, nothing happens. */
    static void register(HeldByThread lock) {
        TransactionEnd.register(new TransactionCheck(lock));
    }

    /** Who has released the lock meanwhile meant it. */
    @Override
    public void beforeCommit(boolean readOnly) {
        if (lock.isStillHeld()) {
            handle().ensureValid();
        }
    }

    private LockHandle handle() {
        return lock.lock().handle();
    }

    /** A transaction has a set of them. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TransactionCheck check && check.handle() == handle();
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(handle());
    }
}
