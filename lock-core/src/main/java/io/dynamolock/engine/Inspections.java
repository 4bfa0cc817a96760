package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
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
import java.util.Optional;
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
            Consumer<Map<SessionId, Optional<SessionItem>>> read = sessions -> end(result, of(lock, sessions));
            readSessions(result, List.of(lock), read);
        });
    }

    void list(@Nullable String key, LockPage.@Nullable Mark after, CompletableFuture<InspectionPage> result) {
        begin(result, StoreCall.of(Lane.PEOPLE, "list locks", () -> context.store.locks(key, after)), page -> {
            Consumer<Map<SessionId, Optional<SessionItem>>> read = sessions -> {
                Map<LockKey, Inspection> locks = new LinkedHashMap<>();
                page.locks().forEach((lockKey, lock) -> locks.put(lockKey, of(lock, sessions)));
                end(result, new InspectionPage(locks, page.last()));
            };
            readSessions(result, page.locks().values(), read);
        });
    }

    private static Inspection of(LockItem lock, Map<SessionId, Optional<SessionItem>> sessions) {
        // Not the other way round: a page has many locks, and they may have many sessions.
        Map<SessionId, SessionItem> itsOwn = new HashMap<>();
        Set<SessionId> unreadable = new HashSet<>();
        atTheFront(lock).forEach(id -> {
            Optional<SessionItem> session = sessions.get(id);
            if (session == null) {
                unreadable.add(id);
            } else {
                session.ifPresent(item -> itsOwn.put(id, item));
            }
        });
        return new Inspection(lock, itsOwn, unreadable);
    }

    private static Stream<SessionId> atTheFront(LockItem lock) {
        return lock.queue().stream().map(Entry::session).distinct().limit(LockStore.MOST_SESSIONS);
    }

    private void readSessions(
            CompletableFuture<?> result,
            Collection<LockItem> locks,
            Consumer<Map<SessionId, Optional<SessionItem>>> read) {
        List<SessionId> ids =
                locks.stream().flatMap(Inspections::atTheFront).distinct().toList();
        Queue<Set<SessionId>> parts = new ArrayDeque<>();
        for (int from = 0; from < ids.size(); from += LockStore.MOST_SESSIONS) {
            parts.add(new LinkedHashSet<>(ids.subList(from, Math.min(ids.size(), from + LockStore.MOST_SESSIONS))));
        }
        readNext(result, parts, new HashMap<>(), read);
    }

    /** Part by part, and by itself what could not be read along with others. What cannot be read even so hides no other. */
    private void readNext(
            CompletableFuture<?> result,
            Queue<Set<SessionId>> parts,
            Map<SessionId, Optional<SessionItem>> found,
            Consumer<Map<SessionId, Optional<SessionItem>>> read) {
        Set<SessionId> next = parts.poll();
        if (next == null) {
            read.accept(found);
            return;
        }
        StoreCall<Map<SessionId, Optional<SessionItem>>> call =
                StoreCall.of(Lane.PEOPLE, "inspect", () -> context.store.sessions(next));
        context.calls.send(
                call.whoeverIsPaused(),
                sessions -> {
                    found.putAll(sessions);
                    if (next.size() > 1) {
                        next.stream().filter(id -> !sessions.containsKey(id)).forEach(id -> parts.add(Set.of(id)));
                    }
                    readNext(result, parts, found, read);
                },
                failure -> {
                    if (failure.kind() == StoreFailure.Kind.UNREADABLE && next.size() == 1) {
                        readNext(result, parts, found, read);
                    } else {
                        failed(result, failure);
                    }
                });
    }

    private <T> void begin(CompletableFuture<?> result, StoreCall<T> call, Consumer<T> answered) {
        assert context.loop.isCurrent();
        open.add(result);
        context.calls.send(call.whoeverIsPaused(), answered, failure -> failed(result, failure));
    }

    private void failed(CompletableFuture<?> result, StoreFailure failure) {
        open.remove(result);
        result.completeExceptionally(failure);
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
