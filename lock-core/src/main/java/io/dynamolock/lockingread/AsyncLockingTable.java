package io.dynamolock.lockingread;

import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
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
import org.jspecify.annotations.Nullable;
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
     * @param isBatch whether what is locked is extended in time, so that each item has half of its lease left at least
     * @param onBusy what the caller gets when its wait is over; null for an {@link ItemLockedException}
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
        // Seldom enough that there is time to extend what is locked already.
        Duration longestPause =
                isBatch ? Collections.min(List.of(locking.pollMax(), length.dividedBy(4))) : locking.pollMax();
        Supplier<CompletableFuture<Void>> extendInTime = () -> all(locked.values().stream()
                .filter(item -> isBatch && item.remaining().compareTo(length.dividedBy(2)) < 0)
                .map(item -> item.extend(length)));
        CompletableFuture<R> result = new CompletableFuture<>();
        CompletableFuture<Void> steps = CompletableFuture.allOf();
        for (ItemId item : inOrder(items)) {
            LockTries.Wanted wanted =
                    new LockTries.Wanted(item, length, startNanos, wait, longestPause, result, extendInTime);
            steps = steps.thenCompose(before -> new LockTries<>(locking, wanted).start())
                    .thenAccept(next -> locked.put(item, next));
        }
        steps.thenCompose(all -> extendInTime.get()).whenComplete((all, failure) -> {
            List<AsyncLockedItem<T>> asAsked = items.stream().map(locked::get).toList();
            if (failure != null || !result.complete(onLocked.apply(asAsked))) {
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

    private static CompletableFuture<Void> all(Stream<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
    }
}
