package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockHandle;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Locks that are being acquired without blocking.
 *
 * @param source which must be cancelled itself: what depends on it gives nothing back
 * @param handles in the order in which they are wanted
 */
record PendingLocks(CompletableFuture<?> source, CompletableFuture<List<LockHandle>> handles) {

    /** Gives back what was granted, unless all of it was. */
    void cancel() {
        source.cancel(false);
    }
}
