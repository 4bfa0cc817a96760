package io.dynamolock.internal.store.testing;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Breaks calls to another store on request; all others pass. Thread-safe.
 *
 * <p>Faults for the next calls of an operation are used up in the order they were asked for; then what holds
 * {@linkplain #always always} applies.
 */
public final class FaultyLockStore extends InterceptedLockStore {

    private final Map<StoreOperation, Queue<Fault>> next = new EnumMap<>(StoreOperation.class);
    private final Map<StoreOperation, Fault> always = new EnumMap<>(StoreOperation.class);
    private final Set<SessionId> unreadable = new HashSet<>();
    private final List<Runnable> late = new ArrayList<>();
    private final List<Runnable> stalled = new ArrayList<>();

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

    /** The session's item is not as it should be, whatever heals. */
    public synchronized FaultyLockStore unreadable(SessionId id) {
        unreadable.add(id);
        return this;
    }

    @Override
    public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
        return super.sessions(ids).thenApply(found -> {
            Map<SessionId, Optional<SessionItem>> readable = new HashMap<>(found);
            synchronized (this) {
                readable.keySet().removeAll(unreadable);
            }
            if (ids.size() == 1 && readable.isEmpty()) {
                throw Fault.UNREADABLE.failure(StoreOperation.READ_SESSIONS);
            }
            return readable;
        });
    }

    /** Breaks no further call. Late and stalled ones stay so. */
    public synchronized FaultyLockStore heal() {
        next.clear();
        always.clear();
        return this;
    }

    /** Lets the calls that were to land late take effect, in their order. Says how many did. */
    public int landLate() {
        return run(late);
    }

    /** Lets the stalled calls take effect and be answered, and the slow answers arrive. Says how many did. */
    public int resume() {
        return run(stalled);
    }

    /** How many calls wait for {@link #landLate()}. */
    public synchronized int lateCalls() {
        return late.size();
    }

    /** How many calls wait for {@link #resume()}. */
    public synchronized int stalledCalls() {
        return stalled.size();
    }

    @Override
    protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
        Fault fault = faultFor(operation);
        if (fault == null) {
            return call.get();
        }
        return switch (fault) {
            case THROTTLED, CONFLICTED, REFUSED, LOST_REQUEST ->
                CompletableFuture.failedFuture(fault.failure(operation));
            case LOST_ANSWER, UNREADABLE -> {
                CompletableFuture<T> answer = new CompletableFuture<>();
                call.get().whenComplete((result, failure) -> answer.completeExceptionally(fault.failure(operation)));
                yield answer;
            }
            case LANDS_LATE -> {
                add(late, call::get);
                yield CompletableFuture.failedFuture(fault.failure(operation));
            }
            case LANDS_TWICE -> {
                add(late, call::get);
                yield call.get();
            }
            case STALLS -> {
                CompletableFuture<T> answer = new CompletableFuture<>();
                add(stalled, () -> pass(call.get(), answer));
                yield answer;
            }
            case SLOW_ANSWER -> {
                CompletableFuture<T> answer = new CompletableFuture<>();
                CompletionStage<T> result = call.get();
                add(stalled, () -> pass(result, answer));
                yield answer;
            }
        };
    }

    private synchronized @Nullable Fault faultFor(StoreOperation operation) {
        Queue<Fault> faults = next.get(operation);
        Fault fault = faults == null ? null : faults.poll();
        return fault == null ? always.get(operation) : fault;
    }

    private synchronized void add(List<Runnable> calls, Runnable call) {
        calls.add(call);
    }

    private int run(List<Runnable> calls) {
        List<Runnable> due;
        synchronized (this) {
            due = List.copyOf(calls);
            calls.clear();
        }
        due.forEach(Runnable::run);
        return due.size();
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
