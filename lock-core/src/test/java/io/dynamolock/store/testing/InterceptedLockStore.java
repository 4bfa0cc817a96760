package io.dynamolock.store.testing;

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
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Leads every call of another store through one method. */
public abstract class InterceptedLockStore implements LockStore {

    private final LockStore store;

    protected InterceptedLockStore(LockStore store) {
        this.store = store;
    }

    /** @param call makes the call each time it is asked */
    protected abstract <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call);

    @Override
    public Optional<Instant> lastAnsweredAt() {
        return store.lastAnsweredAt();
    }

    @Override
    public CompletionStage<WriteResult> tryAcquire(LockKey key, Claimant claimant, int count, Instant now) {
        return intercept(StoreOperation.TRY_ACQUIRE, () -> store.tryAcquire(key, claimant, count, now));
    }

    @Override
    public CompletionStage<LockState> takeNumbers(LockKey key, int count, Instant now) {
        return intercept(StoreOperation.TAKE_NUMBERS, () -> store.takeNumbers(key, count, now));
    }

    @Override
    public CompletionStage<Void> enter(LockKey key, WaiterRow row) {
        return intercept(StoreOperation.ENTER, () -> store.enter(key, row));
    }

    @Override
    public CompletionStage<QueueView> look(LockKey key, int limit) {
        return intercept(StoreOperation.LOOK, () -> store.look(key, limit));
    }

    @Override
    public CompletionStage<WriteResult> claim(
            LockKey key, Claimant claimant, long last, @Nullable BlockId dead, Instant now) {
        return intercept(StoreOperation.CLAIM, () -> store.claim(key, claimant, last, dead, now));
    }

    @Override
    public CompletionStage<WriteResult> handOver(LockKey key, BlockId from, Claimant claimant, long last, Instant now) {
        return intercept(StoreOperation.HAND_OVER, () -> store.handOver(key, from, claimant, last, now));
    }

    @Override
    public CompletionStage<WriteResult> extend(LockKey key, BlockId block, int count, Instant now) {
        return intercept(StoreOperation.EXTEND, () -> store.extend(key, block, count, now));
    }

    @Override
    public CompletionStage<WriteResult> rename(LockKey key, BlockId from, Claimant claimant, Instant now) {
        return intercept(StoreOperation.RENAME, () -> store.rename(key, from, claimant, now));
    }

    @Override
    public CompletionStage<WriteResult> release(LockKey key, BlockId block, Instant now) {
        return intercept(StoreOperation.RELEASE, () -> store.release(key, block, now));
    }

    @Override
    public CompletionStage<Void> deleteRow(LockKey key, long first, BlockId block) {
        return intercept(StoreOperation.DELETE_ROW, () -> store.deleteRow(key, first, block));
    }

    @Override
    public CompletionStage<Void> createSession(SessionId id, Duration lease, String owner, Instant now) {
        return intercept(StoreOperation.CREATE_SESSION, () -> store.createSession(id, lease, owner, now));
    }

    @Override
    public CompletionStage<BeatResult> beat(SessionId id, long beat, Set<Dispute> settled, Instant now) {
        return intercept(StoreOperation.BEAT, () -> store.beat(id, beat, settled, now));
    }

    @Override
    public CompletionStage<Optional<SessionState>> readSession(SessionId id) {
        return intercept(StoreOperation.READ_SESSION, () -> store.readSession(id));
    }

    @Override
    public CompletionStage<BuryResult> bury(SessionId id, long beat) {
        return intercept(StoreOperation.BURY, () -> store.bury(id, beat));
    }

    @Override
    public CompletionStage<Void> endSession(SessionId id) {
        return intercept(StoreOperation.END_SESSION, () -> store.endSession(id));
    }

    @Override
    public CompletionStage<DisputeResult> dispute(SessionId holder, Dispute dispute) {
        return intercept(StoreOperation.DISPUTE, () -> store.dispute(holder, dispute));
    }
}
