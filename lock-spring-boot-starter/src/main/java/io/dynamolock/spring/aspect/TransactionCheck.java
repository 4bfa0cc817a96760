package io.dynamolock.spring.aspect;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Rolls a transaction back whose work ran under a lock that was lost before the commit, also if a caller inside it caught the loss.
 * Not to be touched where Spring's transactions are not on the class path.
 */
record TransactionCheck(UsedLock lock) implements TransactionSynchronization {

    /** For the transaction of this thread, once for each lock. */
    static void register(UsedLock lock) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionCheck(lock));
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        lock.ensureCommitIsSafe();
    }
}
