package io.dynamolock.spring;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps a lock until the transaction of its caller has ended, with the last of its callbacks: the next caller would not see what is
 * not committed yet, and a listener of the commit belongs to the work. Not to be touched where Spring's transactions are not on the
 * class path.
 */
final class TransactionEnd implements TransactionSynchronization {

    private final HeldByThread lock;
    private final Runnable release;

    /** Whether none of this lock is registered behind it. Another thread may complete the transaction. */
    private volatile boolean isLast = true;

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
    public void beforeCompletion() {
        goLast();
    }

    /** Others may have registered callbacks since. */
    @Override
    public void afterCommit() {
        goLast();
    }

    @Override
    public void afterCompletion(int status) {
        if (isLast) {
            release.run();
        }
    }

    /**
     * No order is later than this one's, and callbacks of one order run as they were registered. Where a transaction was begun
     * outside of Spring, what runs now may belong to another one.
     */
    private void goLast() {
        if (isLast
                && TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.getSynchronizations().contains(this)) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionEnd(lock, release));
            isLast = false;
        }
    }
}
