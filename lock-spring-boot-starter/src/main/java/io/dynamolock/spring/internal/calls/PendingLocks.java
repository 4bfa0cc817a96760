package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockHandle;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Locks that are being acquired without blocking.
 *
 * @param source the future that the registry returned; granted locks are given back only if this future is cancelled,
 *     because a dependent future does not pass a cancel on
 * @param handles in the order in which they are wanted
 */
record PendingLocks(CompletableFuture<?> source, CompletableFuture<List<LockHandle>> handles) {

    /** Ends the wait and gives back the locks granted so far. Does nothing if all locks have been granted. */
    void cancel() {
        source.cancel(false);
    }
}
