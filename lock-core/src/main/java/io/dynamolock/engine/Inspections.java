package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.store.LockPage;
import io.dynamolock.store.LockStore;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads locks, and the sessions at the front of their queues, for people. Lives on the event loop. */
final class Inspections {

    private final EngineContext context;
    private final ClockCheck clockCheck;
    private final Set<CompletableFuture<?>> open = new HashSet<>();

    Inspections(EngineContext context, ClockCheck clockCheck) {
        this.context = context;
        this.clockCheck = clockCheck;
    }

    void inspect(LockKey key, CompletableFuture<Inspection> result) {
        begin(result, StoreCall.of(Lane.PEOPLE, "inspect", () -> context.store.look(key, true)), lock -> {
            clockCheck.answered();
            Consumer<Map<SessionId, SessionItem>> read = sessions -> end(result, new Inspection(lock, sessions));
            readSessions(result, List.of(lock), read);
        });
    }

    void list(@Nullable String key, LockPage.@Nullable Mark after, CompletableFuture<InspectionPage> result) {
        begin(result, StoreCall.of(Lane.PEOPLE, "list locks", () -> context.store.locks(key, after)), page -> {
            Consumer<Map<SessionId, SessionItem>> read = sessions -> {
                Map<LockKey, Inspection> locks = new LinkedHashMap<>();
                page.locks().forEach((lockKey, lock) -> locks.put(lockKey, of(lock, sessions)));
                end(result, new InspectionPage(locks, page.last()));
            };
            readSessions(result, page.locks().values(), read);
        });
    }

    private static Inspection of(LockItem lock, Map<SessionId, SessionItem> sessions) {
        // Not the other way round: a page has many locks, and they may have many sessions.
        Map<SessionId, SessionItem> itsOwn = new HashMap<>();
        atTheFront(lock).filter(sessions::containsKey).forEach(id -> itsOwn.put(id, sessions.get(id)));
        return new Inspection(lock, itsOwn);
    }

    private static Stream<SessionId> atTheFront(LockItem lock) {
        return lock.queue().stream().map(Entry::session).distinct().limit(LockStore.MOST_SESSIONS);
    }

    private void readSessions(
            CompletableFuture<?> result, Collection<LockItem> locks, Consumer<Map<SessionId, SessionItem>> read) {
        Set<SessionId> ids = new LinkedHashSet<>();
        locks.forEach(lock -> atTheFront(lock).forEach(ids::add));
        readNext(result, new ArrayDeque<>(ids), new HashMap<>(), read);
    }

    /** As many as one call may read, and then the others. */
    private void readNext(
            CompletableFuture<?> result,
            Queue<SessionId> ids,
            Map<SessionId, SessionItem> found,
            Consumer<Map<SessionId, SessionItem>> read) {
        if (ids.isEmpty()) {
            read.accept(found);
            return;
        }
        Set<SessionId> next = new HashSet<>();
        while (next.size() < LockStore.MOST_SESSIONS && !ids.isEmpty()) {
            next.add(ids.remove());
        }
        read(result, StoreCall.of(Lane.PEOPLE, "inspect", () -> context.store.sessions(next)), sessions -> {
            found.putAll(sessions);
            readNext(result, ids, found, read);
        });
    }

    private <T> void begin(CompletableFuture<?> result, StoreCall<T> call, Consumer<T> answered) {
        assert context.loop.isCurrent();
        open.add(result);
        read(result, call, answered);
    }

    private <T> void read(CompletableFuture<?> result, StoreCall<T> call, Consumer<T> answered) {
        context.calls.send(call.whoeverIsPaused(), answered, failure -> {
            open.remove(result);
            result.completeExceptionally(failure);
        });
    }

    private <T> void end(CompletableFuture<T> result, T found) {
        open.remove(result);
        result.complete(found);
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
