package io.dynamolock.scale;

import io.dynamolock.scale.VirtualTable.Purpose;
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
import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Our own lock's items on the virtual table: each lock with its queue is one partition key, and each session. */
final class MeteredLockStore implements LockStore {

    /** Made once: ten thousand stack traces a second would be all that the simulation does. */
    private static final StoreFailure THROTTLED =
            new StoreFailure(StoreFailure.Kind.THROTTLED, "The partition's throughput is used up.", null);

    private final VirtualTable table;
    private final InMemoryLockStore items;

    MeteredLockStore(VirtualTable table) {
        this.table = table;
        this.items = new InMemoryLockStore(table.time()::now);
    }

    @Override
    public Optional<Instant> lastAnsweredAt() {
        return items.lastAnsweredAt();
    }

    @Override
    public CompletionStage<WriteResult> tryAcquire(LockKey key, Claimant claimant, int count, Instant now) {
        return write(Purpose.LOCK, key, () -> items.tryAcquire(key, claimant, count, now));
    }

    @Override
    public CompletionStage<LockState> takeNumbers(LockKey key, int count, Instant now) {
        return write(Purpose.LOCK, key, () -> items.takeNumbers(key, count, now));
    }

    @Override
    public CompletionStage<Void> enter(LockKey key, WaiterRow row) {
        return write(Purpose.LOCK, key, () -> items.enter(key, row));
    }

    @Override
    public CompletionStage<QueueView> look(LockKey key, int limit) {
        return read(Purpose.LOCK, key, () -> items.look(key, limit));
    }

    @Override
    public CompletionStage<WriteResult> claim(
            LockKey key, Claimant claimant, long last, @Nullable BlockId dead, Instant now) {
        return write(Purpose.LOCK, key, () -> items.claim(key, claimant, last, dead, now));
    }

    @Override
    public CompletionStage<WriteResult> handOver(LockKey key, BlockId from, Claimant claimant, long last, Instant now) {
        return write(Purpose.LOCK, key, () -> items.handOver(key, from, claimant, last, now));
    }

    @Override
    public CompletionStage<WriteResult> extend(LockKey key, BlockId block, int count, Instant now) {
        return write(Purpose.LOCK, key, () -> items.extend(key, block, count, now));
    }

    @Override
    public CompletionStage<WriteResult> rename(LockKey key, BlockId from, Claimant claimant, Instant now) {
        return write(Purpose.LOCK, key, () -> items.rename(key, from, claimant, now));
    }

    @Override
    public CompletionStage<WriteResult> release(LockKey key, BlockId block, Instant now) {
        return write(Purpose.LOCK, key, () -> items.release(key, block, now));
    }

    @Override
    public CompletionStage<Void> deleteRow(LockKey key, long first, BlockId block) {
        return write(Purpose.LOCK, key, () -> items.deleteRow(key, first, block));
    }

    @Override
    public CompletionStage<Void> createSession(SessionId id, Duration lease, String owner, Instant now) {
        return write(Purpose.LIFE, id, () -> items.createSession(id, lease, owner, now));
    }

    @Override
    public CompletionStage<BeatResult> beat(SessionId id, long beat, Set<Dispute> settled, Instant now) {
        return write(Purpose.LIFE, id, () -> items.beat(id, beat, settled, now));
    }

    @Override
    public CompletionStage<Optional<SessionState>> readSession(SessionId id) {
        return read(Purpose.LIFE, id, () -> items.readSession(id));
    }

    @Override
    public CompletionStage<BuryResult> bury(SessionId id, long beat) {
        return write(Purpose.LIFE, id, () -> items.bury(id, beat));
    }

    @Override
    public CompletionStage<Void> endSession(SessionId id) {
        return write(Purpose.LIFE, id, () -> items.endSession(id));
    }

    @Override
    public CompletionStage<DisputeResult> dispute(SessionId holder, Dispute dispute) {
        return write(Purpose.LIFE, holder, () -> items.dispute(holder, dispute));
    }

    private <T> CompletionStage<T> write(Purpose purpose, Object key, Supplier<CompletionStage<T>> effect) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        table.write(purpose, key, effect, done -> pass(done, answer), () -> answer.completeExceptionally(THROTTLED));
        return answer;
    }

    /** A lock with the rows that are looked at, and a session, are each within the 4 KB of one unit. */
    private <T> CompletionStage<T> read(Purpose purpose, Object key, Supplier<CompletionStage<T>> effect) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        table.read(
                purpose,
                key,
                () -> 1,
                effect,
                done -> pass(done, answer),
                () -> answer.completeExceptionally(THROTTLED));
        return answer;
    }

    private static <T> void pass(CompletionStage<T> done, CompletableFuture<T> answer) {
        done.whenComplete((value, error) -> {
            if (error == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(error);
            }
        });
    }
}
