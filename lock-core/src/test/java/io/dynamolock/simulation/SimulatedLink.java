package io.dynamolock.simulation;

import io.dynamolock.engine.EngineSettings;
import io.dynamolock.store.BeatResult;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.BuryResult;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.DisputeResult;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.SessionState;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.WriteResult;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one process sees of the table: its requests travel, arrive late, twice or never, and so do the answers. */
final class SimulatedLink implements LockStore {

    private final String process;
    private final SimulatedNetwork network;
    private final SimulatedTable table;
    private final CallReferee referee;
    private final Map<LockKey, Long> lookBegan = new HashMap<>();
    private final Map<BlockId, Long> deletionsSince = new HashMap<>();
    private @Nullable SimulatedProcess client;
    private Instant storeClock;

    SimulatedLink(String process, SimulatedNetwork network, SimulatedTable table, CallReferee referee) {
        this.process = process;
        this.network = network;
        this.table = table;
        this.referee = referee;
        this.storeClock = table.now();
    }

    /** The process on this side of the link. */
    void serve(SimulatedProcess simulated) {
        client = simulated;
        referee.watches(simulated);
    }

    String process() {
        return process;
    }

    EngineSettings settings() {
        return referee.settings();
    }

    SimulatedProcess client() {
        SimulatedProcess simulated = client;
        if (simulated == null) {
            throw new IllegalStateException("nobody uses this link yet");
        }
        return simulated;
    }

    CallReferee referee() {
        return referee;
    }

    @Override
    public Optional<Instant> lastAnsweredAt() {
        return Optional.of(storeClock);
    }

    private StoreCall call(StoreOperation operation, @Nullable LockKey key, Object... what) {
        long now = network.nanos();
        return new StoreCall(
                this, operation, client().clock().nanos(), key == null ? now : lookBegan.getOrDefault(key, now), what);
    }

    private <T> CompletionStage<T> send(StoreCall call, Supplier<T> landing) {
        return network.send(call, land -> {
            Instant at = table.now();
            T answer = landing.get();
            if (call.operation.isWrite()) {
                land.accept(answer, () -> storeClock = at);
            } else {
                land.accept(answer, () -> {});
            }
        });
    }

    @Override
    public CompletionStage<WriteResult> tryAcquire(LockKey key, Claimant claimant, int count, Instant now) {
        StoreCall call = call(StoreOperation.TRY_ACQUIRE, key, "try", key, claimant.block(), "for", count);
        return send(call, () -> table.tryAcquire(call, key, claimant, count, now));
    }

    @Override
    public CompletionStage<LockState> takeNumbers(LockKey key, int count, Instant now) {
        StoreCall call = call(StoreOperation.TAKE_NUMBERS, key, "take", key, "for", count);
        return send(call, () -> table.takeNumbers(call, key, count, now));
    }

    @Override
    public CompletionStage<Void> enter(LockKey key, WaiterRow row) {
        StoreCall call = call(StoreOperation.ENTER, key, "enter", key, row);
        return done(send(call, () -> {
            table.enter(call, key, row);
            return true;
        }));
    }

    /** Not a snapshot: the lock is read first, then one row after the other, and the world goes on meanwhile. */
    @Override
    public CompletionStage<QueueView> look(LockKey key, int limit) {
        StoreCall call = call(StoreOperation.LOOK, key, "look", key);
        return network.send(call, land -> {
            long began = network.nanos();
            LockState lock = table.items().lockState(key);
            boolean forTheQueue = limit != Workload.INSPECTED_ROWS;
            Consumer<QueueView> read = view -> land.accept(view, () -> seen(key, forTheQueue ? began : -1));
            if (network.tearsLooks()) {
                readRow(key, limit, lock, new ArrayList<>(), 0, read);
            } else {
                List<WaiterRow> rows = table.items().rows(key);
                boolean complete = rows.size() < limit;
                read.accept(new QueueView(
                        lock, complete ? rows : rows.subList(0, Math.min(limit, rows.size())), complete));
            }
        });
    }

    private void readRow(
            LockKey key, int limit, LockState lock, List<WaiterRow> read, long after, Consumer<QueueView> done) {
        network.betweenItems(() -> {
            Optional<WaiterRow> next = table.items().rows(key).stream()
                    .filter(row -> row.first() > after)
                    .findFirst();
            next.ifPresent(read::add);
            if (next.isEmpty() || read.size() == limit) {
                done.accept(new QueueView(lock, read, next.isEmpty()));
            } else {
                readRow(key, limit, lock, read, next.get().first(), done);
            }
        });
    }

    /** The process comes to know it right before its engine does. */
    private void seen(LockKey key, long began) {
        if (began >= 0) {
            client().onLoop(() -> lookBegan.put(key, began));
        }
    }

    @Override
    public CompletionStage<WriteResult> claim(
            LockKey key, Claimant claimant, long last, @Nullable BlockId dead, Instant now) {
        StoreCall call = call(StoreOperation.CLAIM, key, "claim", key, claimant.block(), "up to", last);
        return send(call, () -> table.claim(call, key, claimant, last, dead, now));
    }

    @Override
    public CompletionStage<WriteResult> handOver(LockKey key, BlockId from, Claimant claimant, long last, Instant now) {
        StoreCall call =
                call(StoreOperation.HAND_OVER, key, "hand over", key, from, "to", claimant.block(), "up to", last);
        return send(call, () -> table.handOver(call, key, from, claimant, last, now));
    }

    @Override
    public CompletionStage<WriteResult> extend(LockKey key, BlockId block, int count, Instant now) {
        StoreCall call = call(StoreOperation.EXTEND, key, "extend", key, block, "for", count);
        return send(call, () -> table.extend(call, key, block, count, now));
    }

    @Override
    public CompletionStage<WriteResult> rename(LockKey key, BlockId from, Claimant claimant, Instant now) {
        StoreCall call = call(StoreOperation.RENAME, key, "rename", key, from, "to", claimant.block());
        return send(call, () -> table.rename(call, key, from, claimant, now));
    }

    @Override
    public CompletionStage<WriteResult> release(LockKey key, BlockId block, Instant now) {
        StoreCall call = call(StoreOperation.RELEASE, key, "release", key, block);
        return send(call, () -> table.release(call, key, block, now));
    }

    @Override
    public CompletionStage<Void> deleteRow(LockKey key, long first, BlockId block) {
        // Sent again and again until it is answered: what was seen before the first sending is why.
        StoreCall call = new StoreCall(
                this,
                StoreOperation.DELETE_ROW,
                client().clock().nanos(),
                deletionsSince.computeIfAbsent(block, absent -> lookBegan.getOrDefault(key, network.nanos())),
                new Object[] {"delete row", key, first, block});
        return done(send(call, () -> {
            table.deleteRow(call, key, first, block);
            return true;
        }));
    }

    @Override
    public CompletionStage<Void> createSession(SessionId id, Duration lease, String owner, Instant now) {
        StoreCall call = call(StoreOperation.CREATE_SESSION, null, "create session", id);
        referee.sessionSent(call, id);
        table.creationSent(call);
        return done(send(call, () -> {
            table.createSession(call, id, lease, owner, now);
            return true;
        }));
    }

    @Override
    public CompletionStage<BeatResult> beat(SessionId id, long beat, Set<Dispute> settled, Instant now) {
        StoreCall call = call(StoreOperation.BEAT, null, "beat", id, "as", beat);
        referee.beatSent(call, id);
        return send(call, () -> table.beat(id, beat, settled, now));
    }

    @Override
    public CompletionStage<Optional<SessionState>> readSession(SessionId id) {
        return send(call(StoreOperation.READ_SESSION, null, "read session", id), () -> table.readSession(id));
    }

    @Override
    public CompletionStage<BuryResult> bury(SessionId id, long beat) {
        return send(call(StoreOperation.BURY, null, "bury", id, "at beat", beat), () -> table.bury(id, beat));
    }

    @Override
    public CompletionStage<Void> endSession(SessionId id) {
        return done(send(call(StoreOperation.END_SESSION, null, "end session", id), () -> {
            table.endSession(id);
            return true;
        }));
    }

    @Override
    public CompletionStage<DisputeResult> dispute(SessionId holder, Dispute dispute) {
        return send(
                call(StoreOperation.DISPUTE, null, "dispute", dispute.key(), dispute.block(), "of", holder),
                () -> table.dispute(holder, dispute));
    }

    StoreFailure failure(StoreFailure.Kind kind, Object why) {
        return new StoreFailure(kind, "simulated: " + why, null);
    }

    private static CompletionStage<Void> done(CompletionStage<Boolean> written) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        written.whenComplete((value, failure) -> {
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure);
            }
        });
        return done;
    }
}
