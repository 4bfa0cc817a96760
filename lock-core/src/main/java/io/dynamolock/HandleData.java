package io.dynamolock;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.store.StoreFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** How a handle writes the data of its lock, and tells what became of it. */
final class HandleData {

    private HandleData() {}

    /** Completes on the event loop. */
    static CompletableFuture<Void> put(GrantHandle handle, Grant grant, LockData data) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        grant.putData(data).whenComplete((isWritten, failure) -> {
            if (failure != null) {
                done.completeExceptionally(failed(handle, failure));
            } else if (isWritten) {
                done.complete(null);
            } else {
                done.completeExceptionally(
                        handle.lostException("was lost or released before its data was known to be written."));
            }
        });
        return done;
    }

    private static Throwable failed(GrantHandle handle, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof StoreFailure known
                ? LockStoreException.of(
                        handle.key(), handle.namespace(), "Writing the data of the " + which(handle) + " failed", known)
                : cause;
    }

    /** @param lock what has become of the lock after an interrupt */
    static void await(GrantHandle handle, CompletableFuture<Void> written, String lock) {
        try {
            written.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(
                    handle.key(),
                    handle.namespace(),
                    "Interrupted while the data of the " + which(handle)
                            + " was being written; it may be written, and the lock is " + lock + ".",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LockException known) {
                throw known;
            }
            throw new IllegalStateException("writing data failed", e.getCause());
        }
    }

    /** Among several that hold a lock, nobody could say whose data counts. */
    static void requireToBeAlone(Grant grant) {
        if (!grant.kind().isAlone()) {
            throw new UnsupportedOperationException("The data of the "
                    + LockNames.describe(grant.key().key(), grant.key().namespace())
                    + " cannot be written by a reader or under a permit, only by a caller that holds the lock alone, for"
                    + " example with acquire(key, wait) or readWrite(key).write().");
        }
    }

    private static String which(GrantHandle handle) {
        return LockNames.describe(handle.key(), handle.namespace());
    }
}
