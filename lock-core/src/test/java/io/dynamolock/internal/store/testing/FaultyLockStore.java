package io.dynamolock.internal.store.testing;

import io.dynamolock.internal.store.LockStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls to another store when they are made, and breaks those that it is asked to; all others pass.
 * Thread-safe.
 *
 * <p>Faults for the next calls of an operation are used up in the order they were asked for; then what holds
 * {@linkplain #always always} applies.
 */
public final class FaultyLockStore extends InterceptedLockStore {

    private final Map<StoreOperation, Queue<Fault>> next = new EnumMap<>(StoreOperation.class);
    private final Map<StoreOperation, Fault> always = new EnumMap<>(StoreOperation.class);
    private final List<Runnable> stalled = new ArrayList<>();
    private final Map<StoreOperation, Integer> counts = new EnumMap<>(StoreOperation.class);

    public FaultyLockStore(LockStore store) {
        super(store);
    }

    /** Breaks the next call of this operation. */
    public FaultyLockStore next(StoreOperation operation, Fault fault) {
        return next(operation, fault, 1);
    }

    /** Breaks the next calls of this operation, after those already asked for. */
    public synchronized FaultyLockStore next(StoreOperation operation, Fault fault, int times) {
        Queue<Fault> faults = next.computeIfAbsent(operation, absent -> new ArrayDeque<>());
        for (int i = 0; i < times; i++) {
            faults.add(fault);
        }
        return this;
    }

    /** Breaks every call of this operation until {@link #heal()}. */
    public synchronized FaultyLockStore always(StoreOperation operation, Fault fault) {
        always.put(operation, fault);
        return this;
    }

    /** Breaks every call until {@link #heal()}. */
    public synchronized FaultyLockStore everything(Fault fault) {
        for (StoreOperation operation : StoreOperation.values()) {
            always.put(operation, fault);
        }
        return this;
    }

    /** Breaks every call but heartbeats until {@link #heal()}. */
    public synchronized FaultyLockStore everythingButHeartbeats(Fault fault) {
        everything(fault);
        always.remove(StoreOperation.HEARTBEAT);
        return this;
    }

    /** Breaks no further call. Stalled ones stay so. */
    public synchronized FaultyLockStore heal() {
        next.clear();
        always.clear();
        return this;
    }

    /** Lets the stalled calls take effect and be answered, and the slow answers arrive. Says how many did. */
    public int resume() {
        List<Runnable> due;
        synchronized (this) {
            due = List.copyOf(stalled);
            stalled.clear();
        }
        due.forEach(Runnable::run);
        return due.size();
    }

    /** How many calls of these operations were made since the last {@link #reset}, whatever became of them. */
    public synchronized int count(StoreOperation... operations) {
        return Arrays.stream(operations)
                .mapToInt(operation -> counts.getOrDefault(operation, 0))
                .sum();
    }

    /** Begins to count anew. */
    public synchronized void reset() {
        counts.clear();
    }

    @Override
    protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
        Fault fault = counted(operation);
        if (fault == null) {
            return call.get();
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        switch (fault) {
            case REFUSED, LOST_REQUEST -> answer.completeExceptionally(fault.failure(operation));
            case LOST_ANSWER ->
                call.get().whenComplete((result, failure) -> answer.completeExceptionally(fault.failure(operation)));
            case STALLS -> stall(() -> pass(call.get(), answer));
            case SLOW_ANSWER -> {
                CompletionStage<T> result = call.get();
                stall(() -> pass(result, answer));
            }
        }
        return answer;
    }

    /** @return what becomes of the call, null if nothing */
    private synchronized @Nullable Fault counted(StoreOperation operation) {
        counts.merge(operation, 1, Integer::sum);
        Queue<Fault> faults = next.get(operation);
        Fault fault = faults == null ? null : faults.poll();
        return fault == null ? always.get(operation) : fault;
    }

    private synchronized void stall(Runnable call) {
        stalled.add(call);
    }

    private static <T> void pass(CompletionStage<T> result, CompletableFuture<T> answer) {
        result.whenComplete((value, failure) -> {
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(failure);
            }
        });
    }
}
