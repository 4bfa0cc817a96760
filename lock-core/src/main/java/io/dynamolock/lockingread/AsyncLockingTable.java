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
import java.util.function.Supplier;
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
        ItemCalls calls = ItemCalls.by(Objects.requireNonNull(client, "client"));
        return new LockingTableBuilder<>(table, calls, Pauses.async(), AsyncLockingTable::new);
    }

    /** As {@link LockingTable#lockAndRead(Key, Duration)}. */
    public CompletableFuture<Optional<AsyncLockedItem<T>>> lockAndRead(Key key, Duration lease) {
        LockTries.Wanted wanted = wanted(key, lease, Duration.ZERO);
        return new LockTries<>(locking, wanted, Optional::of, Optional.<AsyncLockedItem<T>>empty()).start();
    }

    /** As {@link LockingTable#lockAndRead(Key, Duration, Duration)}. */
    public CompletableFuture<AsyncLockedItem<T>> lockAndRead(Key key, Duration lease, Duration wait) {
        return lock(wanted(key, lease, wait));
    }

    private LockTries.Wanted wanted(Key key, Duration lease, Duration wait) {
        Wait patience = Wait.from(locking.time(), wait);
        ItemId item = locking.mapping().itemOf(key);
        return new LockTries.Wanted(item, Lease.checked(lease), patience, locking.pollMax(), CompletableFuture::allOf);
    }

    private CompletableFuture<AsyncLockedItem<T>> lock(LockTries.Wanted wanted) {
        return new LockTries<>(locking, wanted, Function.<AsyncLockedItem<T>>identity(), null).start();
    }

    /** As {@link LockingTable#lockAndReadAll}. */
    public CompletableFuture<List<AsyncLockedItem<T>>> lockAndReadAll(
            Collection<Key> keys, Duration lease, Duration wait) {
        Wait patience = Wait.from(locking.time(), wait);
        Duration length = Lease.checked(lease);
        // Seldom enough that there is time to extend what is locked already.
        Duration longestPause = length.dividedBy(4);
        List<ItemId> items = keys.stream().map(locking.mapping()::itemOf).toList();
        Map<ItemId, AsyncLockedItem<T>> locked = new ConcurrentHashMap<>();
        Supplier<CompletableFuture<Void>> extendInTime = () -> extendInTime(locked.values(), length);
        CompletableFuture<List<AsyncLockedItem<T>>> result = new CompletableFuture<>();
        CompletableFuture<Void> steps = CompletableFuture.allOf();
        for (ItemId item : inOrder(items)) {
            steps = steps.thenCompose(before -> {
                CompletableFuture<AsyncLockedItem<T>> next =
                        lock(new LockTries.Wanted(item, length, patience, longestPause, extendInTime));
                result.whenComplete((all, cancelled) -> next.cancel(false));
                return next.thenAccept(nextItem -> locked.put(item, nextItem));
            });
        }
        steps.thenCompose(all -> extendInTime.get()).whenComplete((all, failure) -> {
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
