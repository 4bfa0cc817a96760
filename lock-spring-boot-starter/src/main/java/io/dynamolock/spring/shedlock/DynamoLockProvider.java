package io.dynamolock.spring.shedlock;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock's locks in a {@link LockRegistry}: the method that finds its lock taken is skipped. Thread-safe; keeps
 * nothing, so that it need not be closed.
 *
 * <ul>
 *   <li>{@code lockAtMostFor} takes the lock from a method that runs for longer ({@link
 *       LockRequest#maxHold(Duration)}). Other than with ShedLock's own providers, a process that crashes keeps the
 *       lock no longer than its lease, 20 seconds by default.
 *   <li>{@code lockAtLeastFor} keeps the lock after the method has ended, and if the process is stopped in order
 *       ({@link LockRequest#holdAtLeast(Duration)}). If the process crashes, the lock is free after the lease, not
 *       later.
 *   <li>Both are counted from when the lock was granted, or extended, by this machine's monotonic clock; the wall
 *       clocks of the instances need not agree.
 *   <li>{@code extend} costs no call. It answers nothing if the lock was lost.
 *   <li>A lock that is neither unlocked nor kept reachable is released when its {@code SimpleLock} is garbage
 *   collected.
 * </ul>
 */
public final class DynamoLockProvider implements ExtensibleLockProvider {

    /** The namespace of the locks unless another one is given. */
    public static final String NAMESPACE = "shedlock";

    private final LockRegistry locks;
    private final String namespace;

    /** Locks in the namespace {@value #NAMESPACE}. */
    public DynamoLockProvider(LockRegistry locks) {
        this(locks, NAMESPACE);
    }

    /**
     * @param namespace keeps the locks apart from others on the same key; not empty, without slashes, at most 1,023
     *     bytes of UTF-8
     * @throws IllegalArgumentException if it is none of that
     */
    public DynamoLockProvider(LockRegistry locks, String namespace) {
        this.locks = Objects.requireNonNull(locks, "locks");
        this.namespace = LockRequest.of("any").namespace(namespace).namespace();
    }

    /**
     * Takes the lock of this name if nobody has it. Waits for the answer of the store only, as
     * {@link LockRegistry#tryAcquire(LockRequest)} does, and throws what that throws; the lock is not held then.
     *
     * @return empty if the lock is taken
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration lockConfiguration) {
        ShedLimits limits = ShedLimits.of(lockConfiguration);
        LockRequest request = LockRequest.of(lockConfiguration.getName())
                .namespace(namespace)
                .maxHold(limits.maxHold())
                .holdAtLeast(limits.minHold());
        return locks.tryAcquire(request).map(handle -> new ShedLock(lockConfiguration, handle, limits));
    }
}
