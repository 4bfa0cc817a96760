package io.dynamolock.simulation;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.WriteResult;
import io.dynamolock.store.memory.InMemoryLockStore;
import io.dynamolock.store.testing.InterceptedLockStore;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between one process and the network and sees to it that the process passes nobody: it may claim, or hand over,
 * only if everyone it has seen ahead has been served or is dead in truth.
 */
final class RefereeLockStore extends InterceptedLockStore {

    private static final Duration SLOW = Duration.ofMillis(3_500);

    private final InMemoryLockStore truth;
    private final VirtualTime time;
    private long slowUntil;
    private long cutFrom;
    private long cutUntil;
    private final Map<LockKey, QueueView> lastSeen = new HashMap<>();

    RefereeLockStore(LockStore network, InMemoryLockStore truth, VirtualTime time) {
        super(network);
        this.time = time;
        this.truth = truth;
    }

    @Override
    protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
        if (time.nanos() >= cutFrom && time.nanos() < cutUntil) {
            return CompletableFuture.failedFuture(
                    new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "cut off from the store: " + operation, null));
        }
        if (time.nanos() >= slowUntil) {
            return call.get();
        }
        CompletableFuture<T> late = new CompletableFuture<>();
        call.get().whenComplete((value, error) -> time.schedule(() -> answer(late, value, error), SLOW));
        return late;
    }

    private static <T> void answer(CompletableFuture<T> late, T value, @Nullable Throwable error) {
        if (error == null) {
            late.complete(value);
        } else {
            late.completeExceptionally(error);
        }
    }

    /** Every answer takes its time for a while; after that, nothing gets through for another while. */
    void slowThenCutOff(Duration slow, Duration cutOff) {
        slowUntil = time.nanos() + slow.toNanos();
        cutFrom = slowUntil;
        cutUntil = slowUntil + cutOff.toNanos();
    }

    void heal() {
        slowUntil = 0;
        cutUntil = 0;
    }

    @Override
    public CompletionStage<QueueView> look(LockKey key, int limit) {
        return super.look(key, limit).thenApply(view -> {
            lastSeen.put(key, view);
            return view;
        });
    }

    @Override
    public CompletionStage<WriteResult> claim(
            LockKey key, Claimant claimant, long last, @Nullable BlockId dead, Instant now) {
        QueueView view = lastSeen.get(key);
        if (view != null) {
            passesNobody("claim", key, view.rows(), claimant, last);
        }
        return super.claim(key, claimant, last, dead, now);
    }

    @Override
    public CompletionStage<WriteResult> handOver(LockKey key, BlockId from, Claimant claimant, long last, Instant now) {
        passesNobody("hand-over", key, truth.rows(key), claimant, last);
        return super.handOver(key, from, claimant, last, now);
    }

    private void passesNobody(String step, LockKey key, List<WaiterRow> rows, Claimant claimant, long last) {
        long serving = truth.lockState(key).serving();
        for (WaiterRow row : rows) {
            if (row.last() < last
                    && row.last() > serving
                    && !row.claimant().session().equals(claimant.session())
                    && truth.session(row.claimant().session()).isPresent()) {
                throw new AssertionError(
                        "the " + step + " of " + claimant.owner() + " up to " + last + " passes " + row);
            }
        }
    }
}
