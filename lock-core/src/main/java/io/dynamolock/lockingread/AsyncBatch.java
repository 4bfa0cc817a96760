package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Locks several items one after the other, without a thread that waits. If one of them fails, or the future is
 * cancelled, the items locked before are released. All steps follow each other, so that only the future is shared
 * between threads.
 */
final class AsyncBatch<T> {

    private final Locking<T> locking;
    private final AsyncCalls calls;
    private final Iterator<LockTries> order;
    private final List<ItemId> wanted;
    private final Duration lease;
    private final Map<ItemId, AsyncLockedItem<T>> locked = new HashMap<>();
    private final CompletableFuture<List<AsyncLockedItem<T>>> result = new CompletableFuture<>();

    private AsyncBatch(
            Locking<T> locking, AsyncCalls calls, List<LockTries> order, List<ItemId> wanted, Duration lease) {
        this.locking = locking;
        this.calls = calls;
        this.order = order.iterator();
        this.wanted = wanted;
        this.lease = lease;
    }

    static <T> CompletableFuture<List<AsyncLockedItem<T>>> start(
            Locking<T> locking, AsyncCalls calls, List<LockTries> order, List<ItemId> wanted, Duration lease) {
        AsyncBatch<T> started = new AsyncBatch<>(locking, calls, order, wanted, lease);
        started.next();
        return started.result;
    }

    private void next() {
        if (result.isDone()) {
            releaseAll();
        } else if (order.hasNext()) {
            LockTries tries = order.next();
            CompletableFuture<AsyncLockedItem<T>> item = AsyncTries.start(locking, calls, tries, this::extendInTime);
            // A batch that is cancelled does not go on waiting for an item.
            result.whenComplete((items, cancelled) -> item.cancel(false));
            item.whenComplete((lockedItem, failure) -> {
                if (lockedItem != null) {
                    locked.put(tries.item(), lockedItem);
                    next();
                } else {
                    fail(failure);
                }
            });
        } else {
            extendInTime().whenComplete((extended, failure) -> {
                if (failure != null) {
                    fail(failure);
                } else if (!result.complete(wanted.stream().map(locked::get).toList())) {
                    releaseAll();
                }
            });
        }
    }

    private void fail(@Nullable Throwable failure) {
        releaseAll()
                .whenComplete((released, ignored) -> result.completeExceptionally(
                        failure == null ? new IllegalStateException("no item") : Failures.unwrap(failure)));
    }

    private CompletableFuture<Void> extendInTime() {
        Duration half = lease.dividedBy(2);
        return all(locked.values().stream()
                .filter(item -> item.remaining().compareTo(half) < 0)
                .map(item -> item.extend(lease))
                .toList());
    }

    private CompletableFuture<Void> releaseAll() {
        return all(locked.values().stream().map(AsyncLockedItem::release).toList());
    }

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(new ArrayList<>(futures).toArray(CompletableFuture[]::new));
    }
}
