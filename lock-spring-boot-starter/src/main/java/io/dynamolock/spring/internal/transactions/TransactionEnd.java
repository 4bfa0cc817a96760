package io.dynamolock.spring.internal.transactions;

import io.dynamolock.spring.internal.holds.ThreadHold;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Releases a lock when the transaction of its caller has ended, after the last of its callbacks: only then does the
 * next caller see what was committed, and a listener of the commit belongs to the work. Loaded only with Spring's
 * transactions.
 */
public final class TransactionEnd implements TransactionSynchronization {

    private final ThreadHold lock;

    /**
     * Whether this is the last callback registered for its lock, which releases it. Volatile, as another thread may
     * complete the transaction.
     */
    private volatile boolean isLast = true;

    private TransactionEnd(ThreadHold lock) {
        this.lock = lock;
    }

    /** Whether this thread has a transaction. */
    public static boolean isToCome() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** This thread holds the lock until its transaction has ended, which may happen on another thread. */
    public static void await(ThreadHold lock) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionEnd(lock));
        lock.lock().enter();
        lock.begin();
    }

    @Override
    public void beforeCompletion() {
        goLast();
    }

    /** Callbacks may have been registered since {@link #beforeCompletion}. */
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
     * Registers again, behind all callbacks so far: this one has the last possible order, and callbacks of the same
     * order run as they were registered. If the transaction was begun outside of Spring, the current synchronization
     * may belong to another one, hence the check.
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
