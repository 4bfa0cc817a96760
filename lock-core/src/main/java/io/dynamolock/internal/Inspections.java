package io.dynamolock.internal;

import io.dynamolock.internal.engine.ClockCheck;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.StoreCalls;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What people ask for: reads of locks and the sessions at the front of their queues, other numbers of permits, evictions. Lives on the
 * event loop.
 */
final class Inspections {

    /** Hears of each item that is certainly as new as a call that was sent then. */
    interface Seen {

        void seen(LockKey key, LockItem item, long sentNanos);
    }

    /** A write whose answer is lost is repeated, so often in all. */
    private static final int ATTEMPTS = 3;

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final LockStore store;
    private final EventLoop loop;
    private final TimeSource time;
    private final ClockCheck clocks;
    private final StoreCalls calls;
    private final Seen seen;
    private final Set<CompletableFuture<?>> open = new HashSet<>();
    private boolean isStopped;

    Inspections(LockStore store, EventLoop loop, TimeSource time, ClockCheck clocks, StoreCalls calls, Seen seen) {
        this.store = store;
        this.loop = loop;
        this.time = time;
        this.clocks = clocks;
        this.calls = calls;
        this.seen = seen;
    }

    void inspect(LockKey key, CompletableFuture<Inspection> result) {
        long sent = time.nanos();
        Instant sentAt = time.now();
        ask(result, "inspect", () -> store.read(key, true), lock -> {
            seen.seen(key, lock, sent);
            clocks.compare(sent, sentAt, store.lastAnsweredAt().orElse(null));
            readSessions(result, List.of(lock), sessions -> end(result, of(lock, sessions)));
        });
    }

    void list(@Nullable String key, LockPage.@Nullable Mark after, CompletableFuture<InspectionPage> result) {
        ask(
                result,
                "list locks",
                () -> store.locks(key, after),
                page -> readSessions(result, page.locks().values(), sessions -> {
                    Map<LockKey, Inspection> locks = new LinkedHashMap<>();
                    page.locks().forEach((lockKey, lock) -> locks.put(lockKey, of(lock, sessions)));
                    end(result, new InspectionPage(locks, page.last()));
                }));
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
        return lock.queue().stream()
                .map(Entry::session)
                .filter(Objects::nonNull)
                .distinct()
                .limit(LockStore.MOST_SESSIONS);
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
        calls.send(
                "inspect",
                () -> store.sessions(next),
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
                        fail(result, failure);
                    }
                });
    }

    void resize(LockKey key, int permits, long base, CompletableFuture<Void> result) {
        Edit edit = new Edit(new TreeMap<>(), null, List.of(), 0, 0, false, null, permits, base);
        long sent = time.nanos();
        ask(result, "resize", () -> store.edit(key, edit, time.now()), answer -> {
            seen.seen(key, answer.item(), sent);
            end(result, null);
        });
    }

    /**
     * Has an entry given up by the process whose it is, because only that knows its callers: it is told by its session's item, and hears of
     * it with its next heartbeat. What is kept for nobody is taken out here.
     *
     * @param tellOwn tells this process, if the session is its own
     */
    void evict(LockKey key, String id, Predicate<Entry.OfSession> tellOwn, CompletableFuture<Boolean> result) {
        ask(result, "evict", () -> store.read(key, true), item -> evict(key, id, item, tellOwn, result));
    }

    private void evict(
            LockKey key,
            String id,
            LockItem item,
            Predicate<Entry.OfSession> tellOwn,
            CompletableFuture<Boolean> result) {
        int index = item.indexOf(id);
        if (index < 0) {
            end(result, false);
        } else if (item.queue().get(index) instanceof Entry.OfSession entry) {
            if (tellOwn.test(entry)) {
                end(result, true);
            } else {
                notify(entry.session(), new Notice(Notice.Wish.GIVE_UP, key, entry.number()), 1, result);
            }
        } else {
            NavigableMap<Integer, Entry> kept =
                    new TreeMap<>(Map.of(index, item.queue().get(index)));
            Edit edit = new Edit(kept, null, List.of(), 0, 0, true, null, 0, 0);
            ask(result, "evict", () -> store.edit(key, edit, time.now()), answer -> {
                if (answer.isApplied()) {
                    end(result, true);
                } else {
                    // Those before it may just have gone.
                    evict(key, id, answer.item(), tellOwn, result);
                }
            });
        }
    }

    private void notify(SessionId session, Notice notice, int attempt, CompletableFuture<Boolean> result) {
        calls.send(
                "evict",
                () -> store.edit(session, new SessionEdit.Notify(notice), time.now()),
                answer -> {
                    SessionItem refusing =
                            answer.isApplied() ? null : answer.item().orElse(null);
                    if (refusing == null) {
                        end(result, answer.isApplied());
                    } else {
                        fail(
                                result,
                                new StoreFailure(
                                        StoreFailure.Kind.THROTTLED,
                                        SafeText.quote(refusing.owner()) + " has not answered "
                                                + refusing.notices().size()
                                                + " earlier notices yet, which it does with each heartbeat, so it was not told of this one. Try again in a while.",
                                        null));
                    }
                },
                failure -> {
                    if (attempt < ATTEMPTS && !failure.isForGood()) {
                        // Whatever became of the one before: a notice is obeyed once.
                        loop.schedule(() -> notify(session, notice, attempt + 1, result), PAUSE.multipliedBy(attempt));
                    } else {
                        fail(result, failure);
                    }
                });
    }

    private <T> void ask(
            CompletableFuture<?> result, String operation, Supplier<CompletionStage<T>> call, Consumer<T> answered) {
        if (isStopped) {
            result.completeExceptionally(shutDown());
            return;
        }
        open.add(result);
        calls.send(operation, call, answered, failure -> fail(result, failure));
    }

    @SuppressWarnings("CollectionUndefinedEquality") // A future equals itself only.
    private void fail(CompletableFuture<?> result, StoreFailure failure) {
        open.remove(result);
        result.completeExceptionally(failure);
    }

    @SuppressWarnings("CollectionUndefinedEquality")
    private <T> void end(CompletableFuture<T> result, @Nullable T found) {
        open.remove(result);
        result.complete(found);
    }

    /** The loop stops: what is under way, or is asked from now on, is never answered. */
    void stop() {
        isStopped = true;
        open.forEach(result -> result.completeExceptionally(shutDown()));
        open.clear();
    }

    static IllegalStateException shutDown() {
        return new IllegalStateException("the engine is shut down");
    }
}
