package io.dynamolock.scale;

import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.scale.VirtualTable.Call;
import io.dynamolock.scale.VirtualTable.Purpose;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Items of this project's locks on the virtual table. Each lock and each session has its own partition key. */
final class MeteredLockStore implements LockStore {

    /** Made once, because ten thousand stack traces a second would take most of the simulation's time. */
    private static final StoreFailure THROTTLED =
            new StoreFailure(StoreFailure.Kind.THROTTLED, "The partition's throughput is used up.", null);

    private final VirtualTable table;
    private final InMemoryLockStore items;

    MeteredLockStore(VirtualTable table) {
        this.table = table;
        this.items = new InMemoryLockStore(table.time::now);
    }

    /** Whether the process's entry is the first in the queue. */
    boolean isHeldBy(Grant grant) {
        LockItem item = items.lock(grant.key());
        int index = item.indexOf(grant.entry());
        return index >= 0 && index < item.holders();
    }

    @Override
    public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, @Nullable Instant now) {
        Call call = new Call(Purpose.LOCK, key, () -> Capacity.ofWrite(key, items.lock(key), edit));
        return write(call, () -> items.edit(key, edit, now));
    }

    @Override
    public CompletionStage<Found<LockItem>> read(LockKey key, boolean consistent) {
        Call call = new Call(Purpose.LOCK, key, () -> Capacity.ofRead(key, items.lock(key), consistent));
        return read(List.of(call), () -> items.read(key, consistent));
    }

    @Override
    public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
        throw new UnsupportedOperationException("nobody lists locks here");
    }

    @Override
    public CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, @Nullable Instant now) {
        Call call = new Call(Purpose.LIFE, id, () -> Capacity.ofWrite(items.session(id), edit));
        return write(call, () -> items.edit(id, edit, now));
    }

    @Override
    public CompletionStage<Found<Map<SessionId, Optional<SessionItem>>>> sessions(Set<SessionId> ids) {
        List<Call> calls = ids.stream()
                .map(id -> new Call(Purpose.LIFE, id, () -> Capacity.ofRead(items.session(id))))
                .toList();
        return read(calls, () -> items.sessions(ids));
    }

    private <T> CompletionStage<T> write(Call call, Supplier<CompletionStage<T>> effect) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        table.write(call, () -> now(effect), answer::complete, () -> answer.completeExceptionally(THROTTLED));
        return answer;
    }

    private <T> CompletionStage<T> read(List<Call> calls, Supplier<CompletionStage<T>> effect) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        table.read(calls, () -> now(effect), answer::complete, () -> answer.completeExceptionally(THROTTLED));
        return answer;
    }

    /** The store in memory answers at once. */
    private static <T> T now(Supplier<CompletionStage<T>> effect) {
        return effect.get().toCompletableFuture().join();
    }
}
