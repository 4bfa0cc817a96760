package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.store.LockStore;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Reads locks, and the sessions at the front of their queues, for people. Lives on the event loop. */
final class Inspections {

    private final EngineContext context;
    private final Set<CompletableFuture<Inspection>> open = new HashSet<>();

    Inspections(EngineContext context) {
        this.context = context;
    }

    void begin(LockKey key, CompletableFuture<Inspection> result) {
        assert context.loop.isCurrent();
        open.add(result);
        read(result, StoreCall.of(Lane.LOCK, "inspect", () -> context.store.look(key, true)), lock -> {
            Set<SessionId> ids = atTheFront(lock);
            if (ids.isEmpty()) {
                end(result, lock, Map.of());
            } else {
                read(
                        result,
                        StoreCall.of(Lane.LOCK, "inspect", () -> context.store.sessions(ids)),
                        sessions -> end(result, lock, sessions));
            }
        });
    }

    private static Set<SessionId> atTheFront(LockItem lock) {
        return lock.queue().stream()
                .map(Entry::session)
                .distinct()
                .limit(LockStore.MOST_SESSIONS)
                .collect(Collectors.toSet());
    }

    private <T> void read(CompletableFuture<Inspection> result, StoreCall<T> call, Consumer<T> answered) {
        context.calls.send(call, answered, failure -> {
            open.remove(result);
            result.completeExceptionally(failure);
        });
    }

    private void end(CompletableFuture<Inspection> result, LockItem lock, Map<SessionId, SessionItem> sessions) {
        open.remove(result);
        result.complete(new Inspection(lock, sessions));
    }

    /** The loop stops: what is under way is never answered. */
    void stop() {
        open.forEach(result -> result.completeExceptionally(shutDown()));
        open.clear();
    }

    static IllegalStateException shutDown() {
        return new IllegalStateException("the engine is shut down");
    }
}
