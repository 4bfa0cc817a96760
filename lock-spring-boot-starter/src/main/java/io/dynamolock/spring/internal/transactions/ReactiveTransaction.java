package io.dynamolock.spring.internal.transactions;

import io.dynamolock.spring.internal.holds.HeldLock;
import io.dynamolock.spring.internal.holds.LockId;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Keeps locks until the reactive transaction of their subscriber has ended, with all of its callbacks, so that the next
 * caller sees what was committed. Loaded only with Reactor and Spring's transactions.
 */
public final class ReactiveTransaction {

    private ReactiveTransaction() {}

    /**
     * The lock that an earlier method has left to the transaction; null if there is none. Callbacks after the commit
     * still find the lock.
     */
    public static @Nullable HeldLock find(LockId id, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        return transaction == null ? null : (HeldLock) transaction.getResource(id);
    }

    /**
     * Keeps a lock until the end of the subscriber's transaction. Does nothing without a transaction.
     *
     * @param lossMatters whether a loss before the commit rolls the transaction back
     * @param isTaken whether this call has taken the lock; if not, the call that has taken the lock decides when to
     *     release it
     */
    public static void holdUntilEnd(
            LockId id, HeldLock lock, boolean lossMatters, boolean isTaken, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        if (transaction == null || !transaction.isSynchronizationActive()) {
            return;
        }
        if (lossMatters) {
            transaction.registerSynchronization(new Check(lock));
        }
        if (isTaken && lock.enter()) {
            // A lost hold of the same lock may still be bound.
            transaction.unbindResourceIfPossible(id);
            transaction.bindResource(id, lock);
            transaction.registerSynchronization(new End(transaction, lock));
        }
    }

    private static @Nullable TransactionSynchronizationManager current(ContextView context) {
        TransactionSynchronizationManager transaction = TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorComplete(NoTransactionException.class)
                .contextWrite(context)
                .toFuture()
                // The Mono only looks into the context, so it is complete at once.
                .getNow(null);
        return transaction != null && transaction.isActualTransactionActive() ? transaction : null;
    }

    /** A record, so that a transaction, which keeps its callbacks in a set, has one check for each lock. */
    private record Check(HeldLock lock) implements TransactionSynchronization {

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(lock::ensureCommitIsSafe);
        }
    }

    /** Releases a lock when the transaction has ended. */
    private static final class End implements TransactionSynchronization {

        private final TransactionSynchronizationManager transaction;
        private final HeldLock lock;
        /**
         * Whether this is the last callback registered for the lock. Only the last callback releases the lock. Cleared
         * when a later callback is registered. Volatile, because the transaction may change threads.
         */
        private volatile boolean isLast = true;

        End(TransactionSynchronizationManager transaction, HeldLock lock) {
            this.transaction = transaction;
            this.lock = lock;
        }

        /**
         * Registers another callback for the lock. Callbacks run in the order of registration, and none can be added
         * after the commit, so the new callback runs after all callbacks of the application.
         */
        @Override
        public Mono<Void> beforeCompletion() {
            return Mono.fromRunnable(() -> {
                transaction.registerSynchronization(new End(transaction, lock));
                isLast = false;
            });
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return isLast ? Mono.fromCompletionStage(lock::leaveAsync).then() : Mono.empty();
        }
    }
}
