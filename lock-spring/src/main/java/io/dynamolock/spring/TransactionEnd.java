package io.dynamolock.spring;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps a lock until the transaction of its caller has ended: the next caller would not see what is not committed yet.
 * Not to be touched where Spring's transactions are not on the class path.
 */
final class TransactionEnd implements TransactionSynchronization {

    private final HeldByThread lock;
    private final Runnable release;

    private TransactionEnd(HeldByThread lock, Runnable release) {
        this.lock = lock;
        this.release = release;
    }

    /**
     * @param release run once when the transaction of this thread has ended, perhaps by another thread
     * @return whether there is a transaction; if not, nothing happens
     */
    static boolean await(HeldByThread lock, Runnable release) {
        return register(new TransactionEnd(lock, release));
    }

    /** @return whether this thread has a transaction; if not, nothing happens */
    static boolean register(TransactionSynchronization synchronization) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        TransactionSynchronizationManager.registerSynchronization(synchronization);
        return true;
    }

    /** What is thrown here rolls the transaction back, also where a caller inside it caught the loss. */
    @Override
    public void beforeCommit(boolean readOnly) {
        lock.lock().ensureCommitIsSafe();
    }

    @Override
    public void afterCompletion(int status) {
        release.run();
    }
}
