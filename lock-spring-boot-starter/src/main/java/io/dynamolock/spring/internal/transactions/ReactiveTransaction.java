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
 * Keeps locks until the reactive transaction of their subscriber has ended, with the last of its callbacks: the next caller would not
 * see what is not committed yet. Not to be touched without Reactor and Spring's transactions.
 */
public final class ReactiveTransaction {

    private ReactiveTransaction() {}

    /** What a method before this one has left in the transaction, also for its callbacks after the commit. */
    public static @Nullable HeldLock find(LockId id, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        return transaction == null ? null : (HeldLock) transaction.getResource(id);
    }

    /**
     * Keeps a lock to the end of the subscriber's transaction; without one, nothing happens.
     *
     * @param mindsLoss whether a loss before the commit rolls the transaction back
     * @param isTaken whether this call has taken the lock: another that holds it says itself when it is released
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
            // A lock from before that was lost may still be there.
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
                // It only looks into the context, and is done at once.
                .getNow(null);
        return transaction != null && transaction.isActualTransactionActive() ? transaction : null;
    }

    /** Once for each lock, because a transaction has a set of them. */
    private record Check(HeldLock lock) implements TransactionSynchronization {

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(lock::ensureCommitIsSafe);
        }
    }

    /** @param isLast whether none of this lock is registered behind it */
    private record End(TransactionSynchronizationManager transaction, HeldLock lock, AtomicBoolean isLast)
            implements TransactionSynchronization {

        /** Of callbacks of one order, those registered first run first, and after the commit none can be registered. */
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
