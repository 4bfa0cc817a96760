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
 * Keeps ShedLock's locks in a {@link LockRegistry}: if the lock of a method is taken, the method is skipped.
 * Thread-safe. It has no state, so it need not be closed.
 *
 * <ul>
 *   <li>{@code lockAtMostFor} takes the lock from a method that runs for longer ({@link
 *       LockRequest#maxHold(Duration)}). Unlike with ShedLock's own providers, a crashed process keeps the lock no
 *       longer than its lease, 20 seconds by default.
 *   <li>{@code lockAtLeastFor} keeps the lock after the method has ended, even if the process is then shut down
 *       normally ({@link LockRequest#holdAtLeast(Duration)}). If the process crashes, the lock is free after the lease.
 *   <li>Both times are measured from the grant or the extension, by the monotonic clock of this machine. The wall
 *       clocks of the instances need not agree.
 *   <li>{@code extend} costs no call. It returns an empty {@code Optional} if the lock was lost.
 *   <li>A lock that is never unlocked is released when its {@code SimpleLock} is garbage collected.
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
     * @throws IllegalArgumentException if the namespace breaks one of these rules
     */
    public DynamoLockProvider(LockRegistry locks, String namespace) {
        this.locks = Objects.requireNonNull(locks, "locks");
        // Builds a request only to have the namespace checked.
        this.namespace = LockRequest.of("any").namespace(namespace).namespace();
    }

    /**
     * Takes the lock of this name if nobody holds it. Waits only for the answer of the store. Throws the same
     * exceptions as {@link LockRegistry#tryAcquire(LockRequest)}; after an exception, the lock is not held.
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
