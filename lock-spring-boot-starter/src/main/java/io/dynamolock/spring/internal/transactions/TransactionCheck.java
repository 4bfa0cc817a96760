package io.dynamolock.spring.internal.transactions;

import io.dynamolock.spring.internal.holds.HeldLock;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Rolls back a transaction whose work ran under a lock that was lost before the commit, even if a caller inside it
 * caught the loss. Loaded only with Spring's transactions.
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
