package io.dynamolock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * One key of a registry, and one way to hold its lock: one side of {@link LockRegistry#readWrite}, or a
 * {@linkplain LockRegistry#permits permit}. Immutable and thread-safe; no call is made, and nothing kept, until it is used. Its methods
 * do, and throw, what those of the {@link LockRegistry} do.
 */
public final class LockView {

    private final LockRegistry registry;
    private final LockRequest request;

    LockView(LockRegistry registry, LockRequest request) {
        this.registry = registry;
        this.request = request;
    }

    /** The request that this view makes. Add a longest hold, a name or the like, and give it to the registry's methods. */
    public LockRequest request() {
        return request;
    }

    /**
     * Waits for the lock.
     *
     * @param wait zero fails at once if the lock cannot be held in this way now; {@link LockRequest#FOREVER} never
     *     gives up
     * @throws LockTimeoutException if the wait is over; nothing is held
     * @throws LockEvictedException if an operator took the caller out of the queue; nothing is held
     * @throws LockPausedException if the registry is {@linkplain LockAdmin#pause paused} and the caller does not wait; nothing
     *     is held
     * @throws LockInterruptedException if the thread is interrupted, also before the call; nothing is held
     * @throws LockStoreException if DynamoDB refused, or could not be reached while the wait lasted; nothing is held
     * @throws LockPermitsException if the lock has another number of permits; nothing is held
     * @throws LockClosedException if the registry is closed, also during the wait; nothing is held
     */
    public LockHandle acquire(Duration wait) {
        return registry.acquire(request.waitTime(wait));
    }

    /**
     * Takes the lock if it can be held in this way now. Waits only for the answer of the store.
     *
     * @return empty if it cannot
     * @throws LockEvictedException if an operator took the caller out of the queue; nothing is held
     * @throws LockPausedException if the registry is {@linkplain LockAdmin#pause paused}; nothing is held
     * @throws LockInterruptedException if the thread is interrupted, also before the call; nothing is held
     * @throws LockStoreException if DynamoDB refused or could not be reached; nothing is held
     * @throws LockPermitsException if the lock has another number of permits; nothing is held
     * @throws LockClosedException if the registry is closed; nothing is held
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
     * Runs the action while holding the lock.
     *
     * @return what the action returned
     * @throws LockLostException if the action ran and returned, but the lock was lost meanwhile. Its result is dropped
     * @throws Exception what the action threw, or what {@link #acquire} throws; then the action did not run
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
