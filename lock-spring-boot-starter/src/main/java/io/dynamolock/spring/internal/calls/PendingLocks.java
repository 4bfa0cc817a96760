package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockHandle;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Locks that are being acquired without blocking.
 *
 * @param source what the registry returned; only cancelling this future gives granted locks back, as a dependent one
 *     passes no cancel on
 * @param handles in the order in which they are wanted
 */
record PendingLocks(CompletableFuture<?> source, CompletableFuture<List<LockHandle>> handles) {

    /** Ends the wait and gives back what has been granted, unless all locks have been. */
    void cancel() {
        source.cancel(false);
    }
}
