package io.dynamolock.simulation;

import io.dynamolock.store.BeatResult;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.BuryResult;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.DisputeResult;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.SessionState;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.WriteResult;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The one table of a simulation. Each call takes effect at the moment it lands; what that does to the promises of the
 * protocol is judged by the {@link QueueReferee} and remembered in the {@link Traces}.
 */
final class SimulatedTable {

    private final VirtualTime time;
    private final InMemoryLockStore items;
    private final QueueReferee referee;
    private final Traces traces;
    private final Map<String, Expiry> expiries = new TreeMap<>();
    private boolean changed;

    private record Expiry(LockKey key, Instant at) {}

    SimulatedTable(VirtualTime time, InMemoryLockStore items, QueueReferee referee, Traces traces) {
        this.time = time;
        this.items = items;
        this.referee = referee;
        this.traces = traces;
    }

    /** Whether anything was written since this was asked last. */
    boolean hasChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    InMemoryLockStore items() {
        return items;
    }

    Instant now() {
        return time.now();
    }

    WriteResult tryAcquire(StoreCall call, LockKey key, Claimant claimant, int count, Instant now) {
        LockState before = items.lockState(key);
        List<WaiterRow> rows = items.rows(key);
        WriteResult result = answer(items.tryAcquire(key, claimant, count, now));
        if (changesHolder(before, result)) {
            referee.tried(call, key, claimant, before, rows, result.state().serving());
        }
        if (result instanceof WriteResult.Refused) {
            traces.isNoHolder(claimant.block());
        }
        return written(call, key, now, before, result);
    }

    LockState takeNumbers(StoreCall call, LockKey key, int count, Instant now) {
        LockState after = answer(items.takeNumbers(key, count, now));
        touch(call, key, now);
        referee.numbersTaken(call.process(), key, after.tail() - count + 1, after.tail());
        return after;
    }

    void enter(StoreCall call, LockKey key, WaiterRow row) {
        traces.rowLands(call, key, row, items.rows(key).stream().noneMatch(there -> there.first() == row.first()));
        answer(items.enter(key, row));
        changed = true;
    }

    WriteResult claim(StoreCall call, LockKey key, Claimant claimant, long last, @Nullable BlockId dead, Instant now) {
        LockState before = items.lockState(key);
        List<WaiterRow> rows = items.rows(key);
        WriteResult result = answer(items.claim(key, claimant, last, dead, now));
        if (changesHolder(before, result)) {
            referee.claimed(call, key, claimant, before, rows, last);
        }
        return written(call, key, now, before, result);
    }

    WriteResult handOver(StoreCall call, LockKey key, BlockId from, Claimant claimant, long last, Instant now) {
        LockState before = items.lockState(key);
        List<WaiterRow> rows = items.rows(key);
        WriteResult result = answer(items.handOver(key, from, claimant, last, now));
        if (changesHolder(before, result)) {
            traces.isNoHolder(from);
            referee.handedOver(call, key, claimant, before, rows, last);
        }
        return written(call, key, now, before, result);
    }

    WriteResult extend(StoreCall call, LockKey key, BlockId block, int count, Instant now) {
        LockState before = items.lockState(key);
        WriteResult result = answer(items.extend(key, block, count, now));
        if (result instanceof WriteResult.Applied) {
            referee.numbersTaken(
                    call.process(), key, before.tail() + 1, result.state().tail());
        }
        return written(call, key, now, before, result);
    }

    WriteResult rename(StoreCall call, LockKey key, BlockId from, Claimant claimant, Instant now) {
        LockState before = items.lockState(key);
        WriteResult result = answer(items.rename(key, from, claimant, now));
        if (changesHolder(before, result)) {
            traces.isNoHolder(from);
        }
        return written(call, key, now, before, result);
    }

    WriteResult release(StoreCall call, LockKey key, BlockId block, Instant now) {
        LockState before = items.lockState(key);
        referee.releases(call, key, before, block);
        traces.releaseLands(block);
        return written(call, key, now, before, answer(items.release(key, block, now)));
    }

    void deleteRow(StoreCall call, LockKey key, long first, BlockId block) {
        for (WaiterRow row : items.rows(key)) {
            if (row.first() == first && row.claimant().block().equals(block)) {
                referee.deletesRow(call, key, row, items.lockState(key));
            }
        }
        traces.deletionLands(key, first, block);
        answer(items.deleteRow(key, first, block));
        changed = true;
    }

    void creationSent(StoreCall call) {
        traces.creationSent(call);
    }

    void createSession(StoreCall call, SessionId id, Duration lease, String owner, Instant now) {
        traces.creationLands(call, id);
        answer(items.createSession(id, lease, owner, now));
        changed = true;
    }

    BeatResult beat(SessionId id, long beat, Set<Dispute> settled, Instant now) {
        return answer(items.beat(id, beat, settled, now));
    }

    Optional<SessionState> readSession(SessionId id) {
        return answer(items.readSession(id));
    }

    BuryResult bury(SessionId id, long beat) {
        changed = true;
        return answer(items.bury(id, beat));
    }

    void endSession(SessionId id) {
        traces.endingLands(id);
        changed = true;
        answer(items.endSession(id));
    }

    DisputeResult dispute(SessionId holder, Dispute dispute) {
        return answer(items.dispute(holder, dispute));
    }

    /** Removes the lock items whose time is over, as TTL may; says how many. */
    int removeExpired() {
        int removed = 0;
        for (Expiry expiry : List.copyOf(expiries.values())) {
            if (expiry.at().isBefore(time.now())) {
                referee.expired(expiry.key());
                items.evictLock(expiry.key());
                expiries.remove(expiry.key().toString());
                changed = true;
                removed++;
            }
        }
        return removed;
    }

    private static boolean changesHolder(LockState before, WriteResult result) {
        Holder holder = result.state().holder();
        return result instanceof WriteResult.Applied && holder != null && !before.isHeldBy(holder.block());
    }

    private WriteResult written(StoreCall call, LockKey key, Instant now, LockState before, WriteResult result) {
        if (result instanceof WriteResult.Applied) {
            changed = true;
            touch(call, key, now);
            Holder holder = result.state().holder();
            if (holder != null && changesHolder(before, result)) {
                traces.becomesHolder(call, key, holder);
                referee.held(key);
            }
            if (result.state().serving() > before.serving()) {
                referee.served(call, key, before.serving(), result.state().serving());
            } else if (result.state().serving() < before.serving()) {
                referee.servedAgain(call, key, before.serving(), result.state().serving());
            }
        }
        return result;
    }

    private void touch(StoreCall call, LockKey key, Instant now) {
        expiries.put(
                key.toString(), new Expiry(key, now.plus(call.link.settings().retention())));
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
