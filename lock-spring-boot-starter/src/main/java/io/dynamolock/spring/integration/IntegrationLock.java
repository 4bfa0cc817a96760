package io.dynamolock.spring.integration;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock that can be taken for a limited time, since Spring Integration 7. Has no state. */
final class IntegrationLock extends PlainIntegrationLock implements DistributedLock {

    private final LockRegistry locks;
    private final LockRequest request;

    IntegrationLock(LockRegistry locks, LockRequest request) {
        super(locks, request);
        this.locks = locks;
        this.request = request;
    }

    @Override
    public void lock(Duration ttl) {
        locks.lock(request.maxHold(ttl)).lock();
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        // This conversion is capped at Long.MAX_VALUE. Duration.toNanos would throw.
        return locks.lock(request.maxHold(ttl)).tryLock(TimeUnit.NANOSECONDS.convert(waitTime), TimeUnit.NANOSECONDS);
    }
}
