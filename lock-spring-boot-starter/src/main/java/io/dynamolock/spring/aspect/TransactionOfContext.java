package io.dynamolock.spring.aspect;

import java.util.List;
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
final class TransactionOfContext {

    private TransactionOfContext() {}

    /** What a method before this one has left in the transaction, also for its callbacks after the commit. */
    static @Nullable UsedLock find(LockId id, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        return transaction == null ? null : (UsedLock) transaction.getResource(id);
    }

    /**
     * A loss before the commit rolls the transaction back. Without one, nothing happens.
     *
     * @param taken by this call, which are held; when the others are released is not said here
     */
    static void hold(LockedCall call, HeldLocks locks, List<UsedLock> taken, ContextView context) {
        TransactionSynchronizationManager transaction = current(context);
        if (transaction == null || !transaction.isSynchronizationActive()) {
            return;
        }
        locks.forEach((lock, used) -> {
            if (lock.mindsLoss()) {
                transaction.registerSynchronization(new Check(used));
            }
            if (taken.contains(used) && used.enter()) {
                LockId id = lock.id(call.registry());
                // A lock from before that was lost may still be there.
                transaction.unbindResourceIfPossible(id);
                transaction.bindResource(id, used);
                transaction.registerSynchronization(new End(transaction, used, new AtomicBoolean(true)));
            }
        });
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

    /** @param isLast whether none of this lock is registered behind it */
    private record End(TransactionSynchronizationManager transaction, UsedLock lock, AtomicBoolean isLast)
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
