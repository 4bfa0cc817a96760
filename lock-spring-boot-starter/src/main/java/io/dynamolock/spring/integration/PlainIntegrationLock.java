package io.dynamolock.spring.integration;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A {@link ThreadLock} that reports a loss as Spring Integration expects. Has no state. */
class PlainIntegrationLock implements Lock {

    private final LockRequest request;
    private final ThreadLock lock;

    PlainIntegrationLock(LockRegistry locks, LockRequest request) {
        this.request = request;
        this.lock = locks.lock(request);
    }

    @Override
    public void lock() {
        lock.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lock.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        return lock.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return lock.tryLock(time, unit);
    }

    @Override
    public void unlock() {
        try {
            lock.unlock();
        } catch (LockLostException e) {
            ConcurrentModificationException lost = new ConcurrentModificationException(e.getMessage());
            lost.initCause(e);
            throw lost;
        }
    }

    /**
     * Sets how long the calling thread may hold the lock.
     *
     * @param ttl counted from now on; more than {@link Durations#CENTURY} means no limit
     */
    void renew(Duration ttl) {
        // Builds a request only to have the time checked: zero or less would end the hold at once.
        Duration checked = request.maxHold(ttl).maxHold().orElseThrow();
        LockHandle handle = lock.handle()
                .orElseThrow(() -> new IllegalMonitorStateException(
                        "This thread does not hold " + lock + ", so it cannot renew it."));
        boolean isForever = checked.compareTo(Durations.CENTURY) > 0;
        try {
            handle.setMaxHold(isForever ? checked : handle.held().plus(checked));
        } catch (LockLostException e) {
            throw new IllegalStateException("The lock cannot be renewed. " + e.getMessage(), e);
        }
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof PlainIntegrationLock that && lock.equals(that.lock);
    }

    @Override
    public final int hashCode() {
        return lock.hashCode();
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
