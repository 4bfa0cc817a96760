package io.dynamolock.spring.internal.transactions;

import io.dynamolock.spring.internal.holds.ThreadHold;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Releases a lock when the transaction of its caller has ended, after the last callback of the transaction. Only then
 * does the next caller see what was committed, and a listener of the commit still belongs to the work. Loaded only with
 * Spring's transactions.
 */
public final class TransactionEnd implements TransactionSynchronization {

    private final ThreadHold hold;

    /**
     * Whether this is the last callback registered for the lock. Only the last callback releases the lock. Cleared when
     * {@link #goLast} registers a later callback. Volatile, because another thread may complete the transaction.
     */
    private volatile boolean isLast = true;

    private TransactionEnd(ThreadHold hold) {
        this.hold = hold;
    }

    /** Whether this thread has a transaction, whose end will call back. */
    public static boolean isToCome() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** Lets this thread hold the lock until its transaction has ended, which may happen on another thread. */
    public static void holdUntilEnd(ThreadHold hold) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionEnd(hold));
        hold.heldLock().enter();
        hold.bindToThread();
    }

    @Override
    public void beforeCompletion() {
        goLast();
    }

    /** Goes last again, because callbacks may have been registered since {@link #beforeCompletion}. */
    @Override
    public void afterCommit() {
        goLast();
    }

    @Override
    public void afterCompletion(int status) {
        if (isLast) {
            hold.unbind();
            hold.heldLock().leave();
        }
    }

    /**
     * Registers another callback for the lock, behind all callbacks so far: the new callback has the last possible
     * order, and callbacks of the same order run as they were registered. If the transaction was begun outside of
     * Spring, the callbacks registered with this thread may belong to another transaction, hence the check.
     */
    private void goLast() {
        if (isLast
                && TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.getSynchronizations().contains(this)) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionEnd(hold));
            isLast = false;
        }
    }
}
