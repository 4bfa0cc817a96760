package io.dynamolock.spring.integration;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.spring.keys.LockKeys;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * As {@link IntegrationLockRegistry}, for Spring Integration 6, which comes with Spring Boot 3. There, a lock cannot be
 * taken with a time to live. Thread-safe. Has no state, so it need not be closed.
 */
public final class PlainIntegrationLockRegistry implements ExpirableLockRegistry<Lock>, RenewableLockRegistry<Lock> {

    private final LockRegistry locks;
    private final RequestsByKey requests;

    /** Locks in the namespace {@value IntegrationLockRegistry#NAMESPACE}. */
    public PlainIntegrationLockRegistry(LockRegistry locks) {
        this(locks, IntegrationLockRegistry.NAMESPACE);
    }

    /**
     * @param namespace keeps the locks apart from others on the same key; not empty, without slashes, at most 1,023
     *     bytes of UTF-8
     * @throws IllegalArgumentException if the namespace breaks one of these rules
     */
    public PlainIntegrationLockRegistry(LockRegistry locks, String namespace) {
        this.locks = Objects.requireNonNull(locks, "locks");
        this.requests = new RequestsByKey(namespace);
    }

    /**
     * The lock of this key: a view that costs nothing until it is locked. All views of one key are the same lock, and
     * equal. {@link ThreadLock} says what the methods throw, but {@code unlock()} throws {@link
     * java.util.ConcurrentModificationException} if the lock was lost before; the thread does not hold the lock any
     * more, and others may have held it meanwhile.
     *
     * @param lockKey a key that {@link LockKeys#text} accepts
     * @throws IllegalArgumentException if the key is something else, blank or too long
     * @throws io.dynamolock.LockClosedException if the registry of the locks is closed
     */
    @Override
    public Lock obtain(Object lockKey) {
        return lock(lockKey);
    }

    /**
     * Lets the calling thread keep its lock until it unlocks or its process ends. Costs no call.
     *
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     * @throws IllegalStateException if the lock was lost before; others may hold it
     * @throws IllegalArgumentException as {@link #obtain} does
     */
    @Override
    public void renewLock(Object lockKey) {
        lock(lockKey).renew(LockRequest.FOREVER);
    }

    /**
     * Lets the calling thread keep its lock for this long from now. Costs no call.
     *
     * @param ttl more than zero; over 36,500 days means no limit
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     * @throws IllegalStateException if the lock was lost before; others may hold it
     * @throws IllegalArgumentException as {@link #obtain} does, and if the time is not more than zero; the lock is held
     *     as before
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        lock(lockKey).renew(ttl);
    }

    /** Does nothing, because unused locks are not kept. */
    @Override
    public void expireUnusedOlderThan(long age) {}

    private PlainIntegrationLock lock(Object lockKey) {
        return new PlainIntegrationLock(locks, requests.of(lockKey));
    }
}
