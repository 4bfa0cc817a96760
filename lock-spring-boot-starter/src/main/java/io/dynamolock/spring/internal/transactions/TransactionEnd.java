package io.dynamolock.spring.internal.transactions;

import io.dynamolock.spring.internal.holds.ThreadHold;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps a lock until the transaction of its caller has ended, with the last of its callbacks: the next caller would not see what is
 * not committed yet, and a listener of the commit belongs to the work. Not to be touched where Spring's transactions are not on the
 * class path.
 */
public final class TransactionEnd implements TransactionSynchronization {

    private final ThreadHold lock;

    /** Whether none of this lock is registered behind it. Another thread may complete the transaction. */
    private volatile boolean isLast = true;

    private TransactionEnd(ThreadHold lock) {
        this.lock = lock;
    }

    /** Whether this thread has a transaction. */
    public static boolean isToCome() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** This thread holds the lock until its transaction has ended, which may happen in another thread. */
    public static void await(ThreadHold lock) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionEnd(lock));
        lock.lock().enter();
        lock.begin();
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
            lock.end();
            lock.lock().leave();
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
            TransactionSynchronizationManager.registerSynchronization(new TransactionEnd(lock));
            isLast = false;
        }
    }
}
