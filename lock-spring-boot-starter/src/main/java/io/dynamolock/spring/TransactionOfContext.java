package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Keeps a lock until the reactive transaction of its subscriber has ended, with the last of its callbacks: the next caller would not
 * see what is not committed yet. Not to be touched without Reactor and Spring's transactions.
 */
final class TransactionOfContext {

    private TransactionOfContext() {}

    /** What a method before this one has left in the transaction, also for its callbacks after the commit. */
    static @Nullable UsedLock find(LockId id, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        return transaction == null ? null : (UsedLock) transaction.getResource(id);
    }

    /** Without a transaction, nothing happens. */
    static void hold(UsedLock lock, LockId id, ContextView context) {
        TransactionSynchronizationManager transaction = withSynchronization(context);
        if (transaction != null && lock.enter()) {
            // A lock from before that was lost may still be there.
            transaction.unbindResourceIfPossible(id);
            transaction.bindResource(id, lock);
            transaction.registerSynchronization(new End(transaction, lock));
        }
    }

    /** A loss before the commit rolls it back; when the lock is released is not said here. */
    static void ensureCommitIsSafe(UsedLock lock, ContextView context) {
        TransactionSynchronizationManager transaction = withSynchronization(context);
        if (transaction != null) {
            transaction.registerSynchronization(new Check(lock));
        }
    }

    private static @Nullable TransactionSynchronizationManager withSynchronization(ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        return transaction != null && transaction.isSynchronizationActive() ? transaction : null;
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
    private record Check(UsedLock lock) implements TransactionSynchronization {

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(lock::ensureCommitIsSafe);
        }
    }

    private static final class End implements TransactionSynchronization {

        private final TransactionSynchronizationManager transaction;
        private final UsedLock lock;

        /** Whether none of this lock is registered behind it. */
        private volatile boolean isLast = true;

        End(TransactionSynchronizationManager transaction, UsedLock lock) {
            this.transaction = transaction;
            this.lock = lock;
        }

        /** What fails here rolls the transaction back. */
        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(lock::ensureCommitIsSafe);
        }

        /** Of callbacks of one order, those registered first run first, and after the commit none can be registered. */
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
