package io.dynamolock;

import io.dynamolock.data.LockData;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Writes the {@linkplain LockRequest#data data of a request} when its lock is granted, before its caller has the handle. */
final class DataAtGrant {

    private DataAtGrant() {}

    /** The handle, when the data is written; without that the lock is released. */
    static GrantHandle write(LockRequest request, GrantHandle handle) {
        try {
            LockData data = request.data().orElse(null);
            if (data != null) {
                HandleData.await(handle, handle.startPut(data), "released");
            }
            return handle;
        } catch (RuntimeException failure) {
            handle.giveBack();
            throw failure;
        }
    }

    /** As {@link #write}, without blocking. */
    static void complete(
            CompletableFuture<LockHandle> result, LockRequest request, GrantHandle handle, Executor executor) {
        LockData data = request.data().orElse(null);
        if (data == null) {
            complete(result, handle, null);
        } else {
            handle.startPut(data).whenCompleteAsync((done, failure) -> complete(result, handle, failure), executor);
        }
    }

    private static void complete(
            CompletableFuture<LockHandle> result, GrantHandle handle, @Nullable Throwable failure) {
        if (failure != null) {
            result.completeExceptionally(failure);
            handle.giveBack();
        } else if (!result.complete(handle)) {
            handle.giveBack();
        }
    }
}
