package io.dynamolock.lockingread;

import io.dynamolock.internal.builder.DaxClients;
import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbAsyncTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Locks items of the user's own table without blocking: {@link LockingTable} with futures. Each method does what the
 * method of the same name does there. Failures complete the future instead of being thrown, but a bad argument is
 * refused at once. No thread waits for an item.
 *
 * <p>Cancelling a future that is not complete ends the wait; an item that is locked at the same moment is released in
 * the background. The futures complete on a thread of the client's, where no further step may block. Thread-safe.
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
     * @param client makes the calls; the caller closes it
     * @param table gives the name, the schema and the extensions
     * @throws IllegalArgumentException if the client is one of DAX
     */
    public static <T> LockingTableBuilder<T, AsyncLockingTable<T>> builder(
            DynamoDbAsyncClient client, DynamoDbAsyncTable<T> table) {
        ItemCalls calls = ItemCalls.by(DaxClients.refused(client));
        return new LockingTableBuilder<>(table, calls, Futures::after, AsyncLockingTable::new);
    }

    /** As {@link LockingTable#lockAndRead(Key, Duration)}. */
    public CompletableFuture<Optional<AsyncLockedItem<T>>> lockAndRead(Key key, Duration lease) {
        return lock(List.of(key), lease, Duration.ZERO, false, Optional.empty(), locked -> Optional.of(locked.get(0)));
    }

    /** As {@link LockingTable#lockAndRead(Key, Duration, Duration)}. */
    public CompletableFuture<AsyncLockedItem<T>> lockAndRead(Key key, Duration lease, Duration wait) {
        return lock(List.of(key), lease, wait, false, null, locked -> locked.get(0));
    }

    /** As {@link LockingTable#lockAndReadAll}. */
    public CompletableFuture<List<AsyncLockedItem<T>>> lockAndReadAll(
            Collection<Key> keys, Duration lease, Duration wait) {
        return lock(keys, lease, wait, true, null, locked -> locked);
    }

    /**
     * Locks items one after the other.
     *
     * @param isBatch whether items that are already locked are extended in time, so that in the end each has at least
     *     half of its lease left
     * @param onBusy the result if the wait is over; {@code null} to fail with an {@link ItemLockedException}
     * @param onLocked the result if all items are locked; gets them in the order of their keys
     */
    private <R> CompletableFuture<R> lock(
            Collection<Key> keys,
            Duration lease,
            Duration wait,
            boolean isBatch,
            @Nullable R onBusy,
            Function<List<AsyncLockedItem<T>>, R> onLocked) {
        if (wait.isNegative() || wait.compareTo(Lease.LONGEST) > 0) {
            throw new IllegalArgumentException("The wait must be from PT0S, one try, to " + Lease.LONGEST + ", but is "
                    + wait + ". Wait again if a day is not enough.");
        }
        long startNanos = locking.time().nanos();
        Duration length = Lease.checked(lease);
        List<ItemId> items = keys.stream().map(locking.mapping()::itemOf).toList();
        Map<ItemId, AsyncLockedItem<T>> locked = new ConcurrentHashMap<>();
        // Items that are already locked are extended between tries, so a pause must be short compared with their lease.
        Duration longestPause = isBatch ? Durations.shorter(locking.pollMax(), length.dividedBy(4)) : locking.pollMax();
        Supplier<CompletableFuture<Void>> extendInTime = () -> all(locked.values().stream()
                .filter(item -> isBatch && item.remaining().compareTo(length.dividedBy(2)) < 0)
                .map(item -> item.extend(length)));
        CompletableFuture<R> result = new CompletableFuture<>();
        CompletableFuture<Void> steps = CompletableFuture.allOf();
        for (ItemId item : inOrder(items)) {
            LockTries.Wanted wanted =
                    new LockTries.Wanted(item, length, startNanos, wait, longestPause, result, extendInTime);
            steps = steps.thenCompose(previous -> new LockTries<>(locking, wanted).start())
                    .thenAccept(lockedItem -> locked.put(item, lockedItem));
        }
        steps.thenCompose(allLocked -> extendInTime.get()).whenComplete((extended, failure) -> {
            List<AsyncLockedItem<T>> inOrderOfKeys =
                    items.stream().map(locked::get).toList();
            if (failure != null || !result.complete(onLocked.apply(inOrderOfKeys))) {
                Throwable why = failure == null ? new CancellationException() : Futures.unwrap(failure);
                all(locked.values().stream().map(AsyncLockedItem::close)).whenComplete((released, ignored) -> {
                    if (why instanceof ItemLockedException && onBusy != null) {
                        result.complete(onBusy);
                    } else {
                        result.completeExceptionally(why);
                    }
                });
            }
        });
        return result;
    }

    /** The items in an order that is the same for all callers, so that they never wait for each other in a circle. */
    private static Set<ItemId> inOrder(List<ItemId> items) {
        Set<ItemId> inOrder = new TreeSet<>();
        for (ItemId item : items) {
            if (!inOrder.add(item)) {
                throw new IllegalArgumentException("The keys contain the " + item + " twice: give each key once.");
            }
        }
        return inOrder;
    }

    private static CompletableFuture<Void> all(Stream<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
    }
}
