package io.dynamolock.spring.internal.transactions;

import io.dynamolock.spring.internal.holds.HeldLock;
import io.dynamolock.spring.internal.holds.LockId;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Keeps locks until the reactive transaction of their subscriber has ended, with all of its callbacks, so that the next
 * caller sees what it committed. Loaded only with Reactor and Spring's transactions.
 */
public final class ReactiveTransaction {

    private ReactiveTransaction() {}

    /**
     * The lock that an earlier method has left to the transaction; null if there is none. Callbacks after the commit
     * find it, too.
     */
    public static @Nullable HeldLock find(LockId id, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        return transaction == null ? null : (HeldLock) transaction.getResource(id);
    }

    /**
     * Keeps a lock to the end of the subscriber's transaction; without one, nothing happens.
     *
     * @param mindsLoss whether a loss before the commit rolls the transaction back
     * @param isTaken whether this call has taken the lock; otherwise the call that has taken it decides when it is
     *     released
     */
    public static void hold(LockId id, HeldLock lock, boolean mindsLoss, boolean isTaken, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        if (transaction == null || !transaction.isSynchronizationActive()) {
            return;
        }
        if (mindsLoss) {
            transaction.registerSynchronization(new Check(lock));
        }
        if (isTaken && lock.enter()) {
            // An earlier hold of the same lock, which was lost, may still be bound.
            transaction.unbindResourceIfPossible(id);
            transaction.bindResource(id, lock);
            transaction.registerSynchronization(new End(transaction, lock, new AtomicBoolean(true)));
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

    /** A record, because a transaction keeps its callbacks in a set: one check for each lock is enough. */
    private record Check(HeldLock lock) implements TransactionSynchronization {

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(lock::ensureCommitIsSafe);
        }
    }

    /** @param isLast whether this is the last callback registered for its lock, which releases it */
    private record End(TransactionSynchronizationManager transaction, HeldLock lock, AtomicBoolean isLast)
            implements TransactionSynchronization {

        /**
         * Registers again, now behind all callbacks of the application: they run in the order of registration, and
         * after the commit none can be added.
         */
        @Override
        public Mono<Void> beforeCompletion() {
            return Mono.fromRunnable(() -> {
                transaction.registerSynchronization(new End(transaction, lock, new AtomicBoolean(true)));
                isLast.set(false);
            });
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return isLast.get() ? Mono.fromCompletionStage(lock::leaveAsync).then() : Mono.empty();
        }
    }
}
