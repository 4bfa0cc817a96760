package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Keeps a lock until the reactive transaction of its subscriber has ended: the next caller would not see what is not committed
 * yet. Not to be touched without Reactor and Spring's transactions.
 */
final class TransactionOfContext {

    private TransactionOfContext() {}

    /** What a method before this one has left in the transaction. */
    static @Nullable UsedLock find(LockId id, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        return transaction == null ? null : (UsedLock) transaction.getResource(id);
    }

    /** Without a transaction, nothing happens. */
    static void hold(UsedLock lock, LockId id, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        if (transaction != null && lock.enter()) {
            // A lock from before that was lost may still be there.
            transaction.unbindResourceIfPossible(id);
            transaction.bindResource(id, lock);
            transaction.registerSynchronization(new End(lock));
        }
    }

    /** A loss before the commit rolls it back; when the lock is released is not said here. */
    static void ensureCommitIsSafe(UsedLock lock, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        if (transaction != null) {
            transaction.registerSynchronization(new Check(lock));
        }
    }

    private static @Nullable TransactionSynchronizationManager current(ContextView context) {
        TransactionSynchronizationManager transaction = TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorComplete(NoTransactionException.class)
                .contextWrite(context)
                .toFuture()
                // It only looks into the context, and is done at once.
                .getNow(null);
        return transaction != null && transaction.isActualTransactionActive() && transaction.isSynchronizationActive()
                ? transaction
                : null;
    }

    /** Once for each lock, because a transaction has a set of them. */
    private record Check(UsedLock lock) implements TransactionSynchronization {

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(lock::ensureCommitIsSafe);
        }
    }

    private record End(UsedLock lock) implements TransactionSynchronization {

        /** What fails here rolls the transaction back. */
        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(lock::ensureCommitIsSafe);
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromCompletionStage(lock::leaveAsync).then();
        }
    }
}
