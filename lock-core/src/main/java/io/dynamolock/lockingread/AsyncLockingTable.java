package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
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

    AsyncLockingTable(Locking<T> locking) {
        this.locking = locking;
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
        return new LockingTableBuilder<>(table, calls, Pauses.async(), AsyncLockingTable::new);
    }

    /** As {@link LockingTable#lockAndRead(Key, Duration)}. */
    public CompletableFuture<Optional<AsyncLockedItem<T>>> lockAndRead(Key key, Duration lease) {
        return LockTries.start(
                locking, wanted(key, lease, Duration.ZERO), CompletableFuture::allOf, Optional::of, Optional.empty());
    }

    /** As {@link LockingTable#lockAndRead(Key, Duration, Duration)}. */
    public CompletableFuture<AsyncLockedItem<T>> lockAndRead(Key key, Duration lease, Duration wait) {
        return LockTries.start(locking, wanted(key, lease, wait), CompletableFuture::allOf, Function.identity(), null);
    }

    private LockTries.Wanted wanted(Key key, Duration lease, Duration wait) {
        Wait from = Wait.from(locking.time(), wait);
        return new LockTries.Wanted(locking.mapping().itemOf(key), Lease.checked(lease), from, locking.pollMax());
    }

    /** As {@link LockingTable#lockAndReadAll}. */
    public CompletableFuture<List<AsyncLockedItem<T>>> lockAndReadAll(
            Collection<Key> keys, Duration lease, Duration wait) {
        Wait from = Wait.from(locking.time(), wait);
        Duration length = Lease.checked(lease);
        // Seldom enough that there is time to extend what is locked already.
        Duration longestPause = length.dividedBy(4);
        List<ItemId> items = keys.stream().map(locking.mapping()::itemOf).toList();
        Map<ItemId, AsyncLockedItem<T>> locked = new ConcurrentHashMap<>();
        CompletableFuture<List<AsyncLockedItem<T>>> result = new CompletableFuture<>();
        CompletableFuture<Void> steps = CompletableFuture.allOf();
        for (ItemId item : inOrder(items)) {
            LockTries.Wanted wanted = new LockTries.Wanted(item, length, from, longestPause);
            steps = steps.thenCompose(before -> {
                CompletableFuture<AsyncLockedItem<T>> next = LockTries.start(
                        locking, wanted, () -> extendInTime(locked.values(), length), Function.identity(), null);
                result.whenComplete((all, cancelled) -> next.cancel(false));
                return next.thenAccept(nextItem -> locked.put(item, nextItem));
            });
        }
        steps.thenCompose(all -> extendInTime(locked.values(), length)).whenComplete((all, failure) -> {
            if (failure != null
                    || !result.complete(items.stream().map(locked::get).toList())) {
                Throwable why = failure == null ? new CancellationException() : Meaning.unwrap(failure);
                all(locked.values().stream().map(AsyncLockedItem::close))
                        .whenComplete((released, ignored) -> result.completeExceptionally(why));
            }
        });
        return result;
    }

    /** One order for all callers, so that they never wait for each other in a circle. */
    private static Set<ItemId> inOrder(List<ItemId> items) {
        Set<ItemId> inOrder = new TreeSet<>();
        for (ItemId item : items) {
            if (!inOrder.add(item)) {
                throw new IllegalArgumentException("The keys contain the " + item + " twice: give each key once.");
            }
        }
        return inOrder;
    }

    private static CompletableFuture<Void> extendInTime(
            Collection<? extends AsyncLockedItem<?>> locked, Duration lease) {
        Duration half = lease.dividedBy(2);
        return all(locked.stream()
                .filter(item -> item.remaining().compareTo(half) < 0)
                .map(item -> item.extend(lease)));
    }

    private static CompletableFuture<Void> all(Stream<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
    }
}
