package io.dynamolock.spring.integration;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.spring.keys.LockKeys;
import java.time.Duration;
import java.util.Objects;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * The locks of a {@link LockRegistry} for Spring Integration 7: for aggregators, for {@code executeLocked}, for the
 * {@code LockRegistryLeaderInitiator}, and for other code that asks for Spring Integration's {@code LockRegistry}.
 * Thread-safe. It has no state, so it need not be closed; closing the {@link LockRegistry} releases the locks.
 *
 * <p>The locks are reentrant per thread. Processes get them in the order of their queue entries; the README says when
 * one caller can overtake another. A lock needs no renewal: it is held until it is unlocked or its process ends, unless
 * it was taken with a time to live.
 */
public final class IntegrationLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {

    /** The namespace of the locks unless another one is given. */
    public static final String NAMESPACE = "integration";

    private final LockRegistry locks;
    private final RequestsByKey requests;

    /** Locks in the namespace {@value #NAMESPACE}. */
    public IntegrationLockRegistry(LockRegistry locks) {
        this(locks, NAMESPACE);
    }

    /**
     * @param namespace keeps the locks apart from others on the same key; not empty, without slashes, at most 1,023
     *     bytes of UTF-8
     * @throws IllegalArgumentException if the namespace breaks one of these rules
     */
    public IntegrationLockRegistry(LockRegistry locks, String namespace) {
        this.locks = Objects.requireNonNull(locks, "locks");
        this.requests = new RequestsByKey(namespace);
    }

    /**
     * The lock of this key: a view that costs nothing until it is locked. All views of one key are the same lock, and
     * equal. {@link ThreadLock} says what the methods throw, with these differences:
     *
     * <ul>
     *   <li>{@code unlock()} throws {@link java.util.ConcurrentModificationException} if the lock was lost before; the
     *       thread does not hold the lock any more, and others may have held it meanwhile. The cause is the {@link
     *       io.dynamolock.LockLostException}.
     *   <li>{@code lock(timeToLive)} and {@code tryLock(wait, timeToLive)} take the lock away after that time, as
     *       {@link LockRequest#maxHold(Duration)} does. They throw {@link IllegalArgumentException} if the time is not
     *       more than zero. A thread that enters the lock again does not change the time.
     * </ul>
     *
     * @param lockKey a key that {@link LockKeys#text} accepts: a string, a number, a boolean, a character, a UUID, an
     *     enum constant, a date or a time of {@code java.time} or a record of these
     * @throws IllegalArgumentException if the key is something else, blank or too long
     * @throws io.dynamolock.LockClosedException if the registry of the locks is closed
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return lock(lockKey);
    }

    /**
     * Lets the calling thread keep its lock until it unlocks or its process ends, whatever time to live the lock had. A
     * lock without a time to live needs no renewal. Costs no call.
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
     * Lets the calling thread keep its lock for this long from now, whatever time to live the lock had. Costs no call.
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

    private IntegrationLock lock(Object lockKey) {
        return new IntegrationLock(locks, requests.of(lockKey));
    }
}
