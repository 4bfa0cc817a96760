package io.dynamolock.scale;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.scale.VirtualTable.Call;
import io.dynamolock.scale.VirtualTable.Purpose;
import io.dynamolock.store.LockPage;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Our own lock's items on the virtual table: each lock is one partition key, and each session. */
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

    /** The process whose block is the first in line, {@code nobody} if there is none or its session is gone. */
    String ownerOfFirst(LockKey key) {
        return Optional.ofNullable(items.lock(key).first())
                .flatMap(first -> items.session(first.session()))
                .map(SessionItem::owner)
                .orElse("nobody");
    }

    @Override
    public Optional<Instant> lastAnsweredAt() {
        return items.lastAnsweredAt();
    }

    @Override
    public CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now) {
        Call call = new Call(Purpose.LOCK, key, () -> Capacity.ofWrite(key, items.lock(key), step));
        return write(call, () -> items.take(key, step, now));
    }

    @Override
    public CompletionStage<LockItem> look(LockKey key, boolean consistent) {
        Call call = new Call(Purpose.LOCK, key, () -> Capacity.ofLook(key, items.lock(key), consistent));
        return read(List.of(call), () -> items.look(key, consistent));
    }

    @Override
    public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
        throw new UnsupportedOperationException("nobody lists locks here");
    }

    @Override
    public CompletionStage<Answer<Optional<SessionItem>>> take(SessionId id, SessionStep step, Instant now) {
        Call call = new Call(Purpose.LIFE, id, () -> Capacity.ofWrite(items.session(id), step));
        return write(call, () -> items.take(id, step, now));
    }

    @Override
    public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
        List<Call> calls = new ArrayList<>();
        ids.forEach(id -> calls.add(new Call(Purpose.LIFE, id, () -> Capacity.ofRead(items.session(id)))));
        return read(calls, () -> items.sessions(ids));
    }

    private <T> CompletionStage<T> write(Call call, Supplier<CompletionStage<T>> effect) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        table.write(call, effect, done -> pass(done, answer), () -> answer.completeExceptionally(THROTTLED));
        return answer;
    }

    private <T> CompletionStage<T> read(List<Call> calls, Supplier<CompletionStage<T>> effect) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        table.read(calls, effect, done -> pass(done, answer), () -> answer.completeExceptionally(THROTTLED));
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
