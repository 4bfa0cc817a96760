package io.dynamolock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * One key of a registry, and one way to hold its lock: one side of {@link LockRegistry#readWrite}, or a {@linkplain
 * LockRegistry#permits permit}. Its methods do what the methods of the same names of {@link LockRegistry} do, and throw
 * the same {@link LockException}s: after any of them, nothing is held. Costs no call and no memory until it is used.
 * Immutable and thread-safe.
 */
public final class LockView {

    private final LockRegistry registry;
    private final LockRequest request;

    LockView(LockRegistry registry, LockRequest request) {
        this.registry = registry;
        this.request = request;
    }

    /**
     * The request that this view makes. Add a longest hold, a name or the like, and pass it to the registry's methods.
     */
    public LockRequest request() {
        return request;
    }

    /**
     * Waits for the lock.
     *
     * @param wait zero fails at once if the lock cannot be held in this way now; {@link LockRequest#FOREVER} never
     *     gives up
     * @throws LockException if the caller does not get the lock; nothing is held
     */
    public LockHandle acquire(Duration wait) {
        return registry.acquire(request.waitTime(wait));
    }

    /**
     * Takes the lock if it can be held in this way now. Waits only for the answer of the store.
     *
     * @return empty if the lock cannot be held in this way now
     * @throws LockException if it is not known whether it can, or the lock has another number of permits; nothing is
     *     held
     */
    public Optional<LockHandle> tryAcquire() {
        return registry.tryAcquire(request);
    }

    /**
     * Acquires the lock without blocking, as {@link LockRegistry#acquireAsync} does.
     *
     * @throws LockClosedException if the registry is closed already
     */
    public CompletableFuture<LockHandle> acquireAsync(Duration wait) {
        return registry.acquireAsync(request.waitTime(wait));
    }

    /**
     * Runs the action while holding the lock, and releases it as {@link LockRegistry#withLock(LockRequest,
     * LockedAction)} does.
     *
     * @return what the action returned
     * @throws LockLostException if the action ran and returned, but the lock is known to be lost by then. The result of
     *     the action is discarded
     * @throws Exception what the action threw; or what {@link #acquire} threw, and the action did not run
     */
    public <T> T withLock(Duration wait, Callable<T> action) throws Exception {
        Objects.requireNonNull(action, "action");
        return registry.<T, Exception>withLock(request.waitTime(wait), lock -> action.call());
    }

    /** As {@link #withLock(Duration, Callable)}, for an action without result and without checked exceptions. */
    public void withLock(Duration wait, Runnable action) {
        registry.withLock(request.waitTime(wait), action);
    }

    @Override
    public String toString() {
        return "LockView[" + request + "]";
    }
}
