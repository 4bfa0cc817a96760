package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.ThreadLock;
import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.declarations.SkippedResult;
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
        LocksOfCall locks = LocksOfCall.enter(call, wanted -> enterAgain(call, wanted));
        WaitTimeout timeout;
        try {
            WaitResult acquired = call.acquire(locks.missing());
            timeout = acquired.timeout();
            if (timeout == null) {
                List<HeldLock> taken = locks.take(acquired.handles());
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
        return timeout.skips() ? SkippedResult.of(type) : timeout.answer(call.invocation());
    }

    /**
     * Enters the lock if this thread holds it, by an outer locked method or by
     * {@link io.dynamolock.LockRegistry#lock(io.dynamolock.LockRequest)}.
     *
     * @throws LockLostException if the thread held the lock and has lost it
     * @throws IllegalStateException if the thread shares the lock with others and the method wants it exclusively
     */
    private static @Nullable HeldLock enterAgain(LockedCall call, WantedLock wanted) {
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
            // The registry refuses to enter a lost lock again. The extra user keeps this call from unlocking a lock
            // that it has not locked.
            entered.enter();
        }
        return entered;
    }

    private static final class Running implements RunningCall {

        private final LocksOfCall locks;

        /** The loss because of which an attempt ended; null if none did. */
        private @Nullable LockLostException lossOfAttempt;

        Running(LocksOfCall locks) {
            this.locks = locks;
        }

        @Override
        public @Nullable Object attempt(CurrentHandle.Body body) throws Throwable {
            lossOfAttempt = locks.loss();
            if (lossOfAttempt != null) {
                return null;
            }
            try {
                return body.run();
            } catch (LockLostException e) {
                if (locks.loss() == null) {
                    // Another lock, which the method took by itself, is lost.
                    throw e;
                }
                lossOfAttempt = e;
                return null;
            }
        }

        @Override
        public void throwLossOfAttempt() {
            if (lossOfAttempt != null) {
                throw lossOfAttempt;
            }
        }
    }
}
