package io.dynamolock.spring.integration;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;

/** Counts how often it was tried to get another lock, or to enter it again. */
record CountedLock(DistributedLock counted, AtomicInteger tries) implements DistributedLock {

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        boolean entered = counted.tryLock(time, unit);
        tries.incrementAndGet();
        return entered;
    }

    @Override
    public boolean tryLock() {
        boolean entered = counted.tryLock();
        tries.incrementAndGet();
        return entered;
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        boolean entered = counted.tryLock(waitTime, ttl);
        tries.incrementAndGet();
        return entered;
    }

    @Override
    public void lock() {
        counted.lock();
    }

    @Override
    public void lock(Duration ttl) {
        counted.lock(ttl);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        counted.lockInterruptibly();
    }

    @Override
    public void unlock() {
        counted.unlock();
    }

    @Override
    public Condition newCondition() {
        return counted.newCondition();
    }
}
