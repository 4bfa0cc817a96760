package io.dynamolock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

/** Grants locks. Thread-safe; one per process is enough. */
public interface LockRegistry extends AutoCloseable {

    LockHandle acquire(String key, Duration wait);

    LockHandle acquire(LockRequest request);

    /** Does not wait. */
    Optional<LockHandle> tryAcquire(String key);

    /** Waits as long as the request says; empty when the wait is over. */
    Optional<LockHandle> tryAcquire(LockRequest request);

    /** Cancelling the future leaves the queue. */
    CompletableFuture<LockHandle> acquireAsync(LockRequest request);

    <T> T withLock(String key, Duration wait, Callable<T> action) throws Exception;

    void withLock(String key, Duration wait, Runnable action);

    /** A view that is reentrant per thread. */
    Lock lock(String key);

    LockSnapshot inspect(String key);

    LockSnapshot inspect(String key, String namespace);

    /** What this process holds. */
    List<HeldLock> held();

    /** How many callers of this process wait for a lock now. */
    int waiting();

    @Override
    void close();
}
