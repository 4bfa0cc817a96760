package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.ThreadLock;
import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.declarations.WantedLock;
import io.dynamolock.spring.internal.holds.HeldByThread;
import io.dynamolock.spring.internal.holds.HeldLock;
import io.dynamolock.spring.internal.transactions.TransactionEnd;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a locked method whose work is done when the method returns. Takes the locks, all or none, and runs the
 * method.
 */
final class BlockingCall {

    private BlockingCall() {}

    static @Nullable Object run(LockedCall call) throws Throwable {
        LocksOfCall locks = LocksOfCall.enter(call, wanted -> enterIfHeld(call, wanted));
        WaitTimeout timeout;
        try {
            List<WantedLock> missing = locks.missing();
            WaitResult acquired = call.acquire(missing);
            timeout = acquired.timeout();
            if (timeout == null) {
                List<HeldLock> taken = locks.take(acquired.handles());
                call.tellOfEarlierReads(missing);
                if (call.untilTransactionEnds() && TransactionEnd.isToCome()) {
                    locks.stayForTransaction(taken);
                }
                new Running(locks).attachTo(call.invocation());
                return locks.run(() -> call.proceed(locks.current(), arguments -> {}));
            }
        } finally {
            locks.leave();
        }
        // The called interface may declare Object where the class of the bean declares a more specific type.
        Class<?> called = call.invocation().getMethod().getReturnType();
        Class<?> type = called == Object.class ? call.method().result().type() : called;
        return timeout.skips() ? timeout.skip(call.method(), type) : timeout.answer(call.invocation());
    }

    /**
     * Enters the lock if this thread holds it, by an outer locked method or by
     * {@link io.dynamolock.LockRegistry#lock(io.dynamolock.LockRequest)}.
     *
     * @throws LockLostException if the thread held the lock and has lost it
     * @throws IllegalStateException if the thread shares the lock with others and the method wants it exclusively
     */
    private static @Nullable HeldLock enterIfHeld(LockedCall call, WantedLock wanted) {
        HeldLock outer = HeldByThread.enter(wanted, call.registry());
        if (outer != null) {
            return outer;
        }
        ThreadLock lock = call.answered(call.registry().lock(wanted.request()));
        LockHandle handle = lock.handle().orElse(null);
        if (handle == null) {
            return null;
        }
        HeldLock entered = new HeldLock(handle, wanted.request().mode(), lock);
        if (handle.isValid() || wanted.lossMatters()) {
            lock.lock();
        } else {
            // lock() would throw, so it is not called. The extra user never leaves, so leave() does not call an
            // unlock()
            // that belongs to the thread's own lock().
            entered.enter();
        }
        return entered;
    }

    private static final class Running implements RunningCall {

        private final LocksOfCall locks;

        /**
         * What the last attempt threw because a lock was lost, or the loss that kept it from beginning; null if a loss
         * did neither. Set by each attempt.
         */
        private @Nullable Throwable failureByLoss;

        Running(LocksOfCall locks) {
            this.locks = locks;
        }

        @Override
        public @Nullable Object attempt(CurrentHandle.Body body) throws Throwable {
            failureByLoss = locks.loss();
            if (failureByLoss != null) {
                return null;
            }
            try {
                return body.run();
            } catch (Throwable failure) {
                if (!isByLoss(failure)) {
                    throw failure;
                }
                failureByLoss = failure;
                return null;
            }
        }

        /** A {@link LockLostException} may also be of another lock, which the method took by itself. */
        private boolean isByLoss(Throwable failure) {
            return failure instanceof LockLostException ? locks.loss() != null : locks.isInterruptingLockLost();
        }

        @Override
        public void throwFailureByLoss() throws Throwable {
            if (failureByLoss != null) {
                throw failureByLoss;
            }
        }
    }
}
