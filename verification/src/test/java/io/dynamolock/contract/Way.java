package io.dynamolock.contract;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** The four ways to a lock. */
enum Way {
    LOCK {
        @Override
        boolean enter(Lock lock) {
            lock.lock();
            return true;
        }
    },
    LOCK_INTERRUPTIBLY {
        @Override
        boolean enter(Lock lock) throws InterruptedException {
            lock.lockInterruptibly();
            return true;
        }
    },
    TRY_LOCK {
        @Override
        boolean enter(Lock lock) {
            return lock.tryLock();
        }
    },
    TIMED_TRY_LOCK {
        @Override
        boolean enter(Lock lock) throws InterruptedException {
            return lock.tryLock(1, TimeUnit.HOURS);
        }
    };

    /** @return whether the lock is now held, or held once more */
    abstract boolean enter(Lock lock) throws InterruptedException;
}
