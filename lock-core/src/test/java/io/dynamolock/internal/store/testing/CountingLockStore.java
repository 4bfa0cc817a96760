package io.dynamolock.internal.store.testing;

import io.dynamolock.internal.store.LockStore;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Counts the calls to another store, when they are made, whatever becomes of them. Thread-safe. */
public final class CountingLockStore extends InterceptedLockStore {

    private final Map<StoreOperation, Integer> counts = new EnumMap<>(StoreOperation.class);

    public CountingLockStore(LockStore store) {
        super(store);
    }

    @Override
    protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
        synchronized (counts) {
            counts.merge(operation, 1, Integer::sum);
        }
        return call.get();
    }

    public int count(StoreOperation operation) {
        return sum(operation::equals);
    }

    /** All writes, the heartbeats included. */
    public int writes() {
        return sum(StoreOperation::isWrite);
    }

    /** Writes on locks: all but those on sessions. */
    public int lockWrites() {
        return sum(operation -> operation.isWrite() && !operation.isOfSession());
    }

    /** All reads, of locks and of sessions. */
    public int reads() {
        return sum(StoreOperation::isRead);
    }

    public int total() {
        return sum(operation -> true);
    }

    /** The operations that were called at all, with their counts. */
    public Map<StoreOperation, Integer> counts() {
        synchronized (counts) {
            return new EnumMap<>(counts);
        }
    }

    public void reset() {
        synchronized (counts) {
            counts.clear();
        }
    }

    private int sum(Predicate<StoreOperation> counted) {
        synchronized (counts) {
            return counts.entrySet().stream()
                    .filter(entry -> counted.test(entry.getKey()))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
        }
    }
}
