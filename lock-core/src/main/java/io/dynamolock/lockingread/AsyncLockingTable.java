package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbAsyncTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Locks items of the user's own table without blocking: {@link LockingTable} with futures. What is said there of each
 * method holds here, with failures in the future instead of thrown; but bad arguments are refused at once. No thread
 * waits for an item.
 *
 * <p>Cancelling a future that is not complete ends the waiting; an item that is locked in the same moment is released
 * in the background. The futures complete on a thread of the client's: nothing that follows there may block.
 * Thread-safe.
 *
 * @param <T> the class of the items
 */
public final class AsyncLockingTable<T> {

    private final Locking<T> locking;
    private final AsyncCalls calls;

    AsyncLockingTable(Locking<T> locking, AsyncCalls calls) {
        this.locking = locking;
        this.calls = calls;
    }

    /**
     * As {@link LockingTable#builder}.
     *
     * @param client makes the calls; stays the caller's to close
     * @param table says the name, the schema and the extensions
     */
    public static <T> LockingTableBuilder<T, AsyncLockingTable<T>> builder(
            DynamoDbAsyncClient client, DynamoDbAsyncTable<T> table) {
        AsyncCalls calls = new AsyncCalls(Objects.requireNonNull(client, "client"));
        return new LockingTableBuilder<>(table, locking -> new AsyncLockingTable<>(locking, calls));
    }

    /** As {@link LockingTable#lockAndRead(Key, Duration)}. */
    public CompletableFuture<Optional<AsyncLockedItem<T>>> lockAndRead(Key key, Duration lease) {
        CompletableFuture<AsyncLockedItem<T>> item = lockAndRead(key, lease, Duration.ZERO);
        CompletableFuture<Optional<AsyncLockedItem<T>>> result = new CompletableFuture<>();
        item.whenComplete((locked, failure) -> {
            if (locked != null) {
                if (!result.complete(Optional.of(locked))) {
                    locked.release();
                }
            } else if (failure instanceof ItemLockedException) {
                result.complete(Optional.empty());
            } else if (failure != null) {
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    /** As {@link LockingTable#lockAndRead(Key, Duration, Duration)}. */
    public CompletableFuture<AsyncLockedItem<T>> lockAndRead(Key key, Duration lease, Duration wait) {
        return AsyncTries.start(locking, calls, locking.tries(key, lease, wait), CompletableFuture::allOf);
    }

    /** As {@link LockingTable#lockAndReadAll}. */
    public CompletableFuture<List<AsyncLockedItem<T>>> lockAndReadAll(
            Collection<Key> keys, Duration lease, Duration wait) {
        List<ItemId> wanted = keys.stream().map(locking::itemOf).toList();
        return AsyncBatch.start(locking, calls, locking.tries(keys, lease, wait), wanted, lease);
    }
}
