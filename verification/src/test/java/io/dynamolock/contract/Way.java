package io.dynamolock.contract;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** The four ways to acquire a lock. */
enum Way {
    LOCK,
    LOCK_INTERRUPTIBLY,
    TRY_LOCK,
    TIMED_TRY_LOCK;

    /** @return whether the lock is now held, or held once more */
    boolean enter(Lock lock) throws InterruptedException {
        return switch (this) {
            case LOCK -> {
                lock.lock();
                yield true;
            }
            case LOCK_INTERRUPTIBLY -> {
                lock.lockInterruptibly();
                yield true;
            }
            case TRY_LOCK -> lock.tryLock();
            case TIMED_TRY_LOCK -> lock.tryLock(1, TimeUnit.HOURS);
        };
    }
}
