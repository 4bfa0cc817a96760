package io.dynamolock.spring.internal.transactions;

import io.dynamolock.spring.internal.holds.HeldLock;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Rolls a transaction back whose work ran under a lock that was lost before the commit, also if a caller inside it caught the loss.
 * Not to be touched where Spring's transactions are not on the class path.
 */
public record TransactionCheck(HeldLock lock) implements TransactionSynchronization {

    /** For the transaction of this thread, once for each lock. */
    public static void register(HeldLock lock) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionCheck(lock));
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        lock.ensureCommitIsSafe();
    }
}
