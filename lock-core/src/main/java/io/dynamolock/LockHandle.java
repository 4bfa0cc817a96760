package io.dynamolock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** One grant of a lock. Thread-safe. */
public interface LockHandle extends AutoCloseable {

    String key();

    String namespace();

    /** Greater than that of every earlier grant of this lock; fixed for the life of the handle. */
    long fencingToken();

    boolean isValid();

    Duration remainingValidity();

    /** @throws LockLostException if the handle is not valid */
    void ensureValid();

    /** Called once, also when registered late. */
    void onLost(Runnable callback);

    /** Whether the lock was still ours. */
    boolean release();

    /** As {@link #release()} without blocking. */
    CompletableFuture<Boolean> releaseAsync();

    /** Releases; idempotent. */
    @Override
    void close();
}
