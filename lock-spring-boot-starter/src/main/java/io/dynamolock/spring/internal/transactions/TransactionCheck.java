package io.dynamolock.spring.internal.transactions;

import io.dynamolock.spring.internal.holds.HeldLock;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Rolls back a transaction if a lock of its work was lost before the commit, even if code inside the transaction caught
 * the loss. Loaded only with Spring's transactions.
 */
public record TransactionCheck(HeldLock lock) implements TransactionSynchronization {

    /** Registers a check with the transaction of this thread. Further checks of the same lock have no effect. */
    public static void register(HeldLock lock) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionCheck(lock));
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        lock.ensureCommitIsSafe();
    }
}
