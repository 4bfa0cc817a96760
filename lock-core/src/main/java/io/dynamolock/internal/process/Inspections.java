package io.dynamolock.internal.process;

import io.dynamolock.internal.engine.ClockComparison;
import io.dynamolock.internal.engine.Engine;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.StoreCalls;
import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.text.PersonalText;
import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What people ask for: reads of locks and of the sessions at the front of their queues, changes of the number of
 * permits, evictions. Thread-safe. All steps run on the event loop, and futures are completed there, until {@link
 * #stop()}.
 */
final class Inspections {

    /** Maximum number of times that a notice is sent. It is sent again only after a failure that may pass. */
    private static final int ATTEMPTS = 3;

    /** The pause before a notice is sent for the second time. The pause before the third time is twice as long. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** The pause before the first look at the effect of an eviction. Each pause after that is twice as long. */
    private static final Duration FIRST_LOOK = Duration.ofMillis(50);

    private static final Duration LONGEST_PAUSE_OF_LOOKS = Duration.ofSeconds(1);

    private final LockStore store;
    private final EventLoop loop;
    private final TimeSource time;
    private final ClockComparison clocks;
    private final StoreCalls calls;

    /** For how long to look for the effect of an eviction. */
    private final Duration patience;

    /** Gives the engine that serves now. The engine is told of each item that is read here. */
    private final Supplier<Engine> engine;

    /** The futures that are not complete yet. */
    private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();

    /** Whether {@link #stop()} was called. Set once. */
    private volatile boolean isStopped;

    Inspections(
            LockStore store,
            EventLoop loop,
            TimeSource time,
            ClockComparison clocks,
            StoreCalls calls,
            Duration patience,
            Supplier<Engine> engine) {
        this.store = store;
        this.loop = loop;
        this.time = time;
        this.clocks = clocks;
        this.calls = calls;
        this.patience = patience;
        this.engine = engine;
    }

    CompletableFuture<Inspection> inspect(LockKey key) {
        return ask(() -> {
            ClockReading sent = ClockReading.of(time);
            return send("inspect", () -> store.read(key, true)).thenCompose(answer -> {
                LockItem lock = answer.content();
                engine.get().shown(key, answer, sent.moment());
                clocks.compare(sent, answer.storeTime());
                return sessionsOf(List.of(lock))
                        .thenApply(inspect -> inspect.apply(lock, engine.get().held(key)));
            });
        });
    }

    CompletableFuture<InspectionPage> list(@Nullable String key, LockPage.@Nullable Mark after) {
        return ask(() -> send("list locks", () -> store.locks(key, after))
                .thenCompose(page -> sessionsOf(page.locks().values()).thenApply(inspect -> {
                    Map<LockKey, Inspection> locks = new LinkedHashMap<>();
                    page.locks()
                            .forEach((of, lock) -> locks.put(
                                    of, inspect.apply(lock, engine.get().held(of))));
                    return new InspectionPage(locks, page.last());
                })));
    }

    private static Stream<SessionId> atTheFront(LockItem lock) {
        return lock.queue().stream()
                .map(Entry::session)
                .filter(Objects::nonNull)
                .distinct()
                .limit(LockStore.MOST_SESSIONS);
    }

    /**
     * Reads the sessions at the front of these locks' queues. The answer makes an inspection of a lock and of the
     * grants that this process has for it.
     */
    private CompletableFuture<BiFunction<LockItem, List<Grant>, Inspection>> sessionsOf(Collection<LockItem> locks) {
        List<SessionId> ids =
                locks.stream().flatMap(Inspections::atTheFront).distinct().toList();
        Queue<Set<SessionId>> parts = new ArrayDeque<>();
        for (int from = 0; from < ids.size(); from += LockStore.MOST_SESSIONS) {
            parts.add(new LinkedHashSet<>(ids.subList(from, Math.min(ids.size(), from + LockStore.MOST_SESSIONS))));
        }
        Map<SessionId, SessionItem> found = new HashMap<>();
        Set<SessionId> unreadable = new HashSet<>();
        return read(parts, found, unreadable)
                .thenApply(
                        done -> (lock, own) -> new Inspection(lock, found, unreadable, Inspection.tokens(lock, own)));
    }

    /**
     * Reads the sessions part by part. A session that could not be read together with others is read again by itself.
     * If that fails as well, the session is unreadable, and the others are found even so.
     */
    private CompletableFuture<Void> read(
            Queue<Set<SessionId>> parts, Map<SessionId, SessionItem> found, Set<SessionId> unreadable) {
        Set<SessionId> next = parts.poll();
        if (next == null) {
            return CompletableFuture.allOf();
        }
        return send("inspect", () -> store.sessions(next))
                .exceptionallyCompose(failure -> {
                    boolean isOneUnreadable =
                            ((StoreFailure) failure).kind() == StoreFailure.Kind.UNREADABLE && next.size() == 1;
                    return isOneUnreadable
                            ? CompletableFuture.completedFuture(new Found<>(Map.of(), null))
                            : CompletableFuture.failedFuture(failure);
                })
                .thenCompose(answer -> {
                    Map<SessionId, Optional<SessionItem>> sessions = answer.content();
                    sessions.forEach((id, session) -> session.ifPresent(item -> found.put(id, item)));
                    for (SessionId id : next) {
                        if (!sessions.containsKey(id) && next.size() > 1) {
                            parts.add(Set.of(id));
                        } else if (!sessions.containsKey(id)) {
                            unreadable.add(id);
                        }
                    }
                    return read(parts, found, unreadable);
                });
    }

    CompletableFuture<Void> resize(LockKey key, int permits) {
        // The read tells whether the item has a TTL that is later than the one that this process would set.
        return ask(() -> send("resize", () -> store.read(key, true)).thenCompose(seen -> {
            long base = engine.get().base();
            Edit edit = new Edit(
                    new TreeMap<>(),
                    null,
                    List.of(),
                    0,
                    0,
                    false,
                    null,
                    permits,
                    base,
                    engine.get().expiry(seen.content()));
            Moment sent = time.moment();
            return send("resize", () -> store.edit(key, edit, engine.get().latestNow()))
                    .thenAccept(
                            answer -> engine.get().shown(key, new Found<>(answer.item(), answer.storeTime()), sent));
        }));
    }

    /**
     * Asks the entry's process to evict the entry, because only that process knows the entry's callers. The request is
     * written into the item of the process's session, and the process finds it with its next heartbeat. Then looks
     * again and again until the effect shows or it is time to give up. An entry that is only kept for a process that
     * has stopped is taken out here.
     */
    CompletableFuture<Boolean> evict(LockKey key, String id, String operator) {
        return ask(() -> send("evict", () -> store.read(key, true))
                .thenCompose(item -> evict(key, id, operator, item.content())));
    }

    private CompletableFuture<Boolean> evict(LockKey key, String id, String operator, LockItem item) {
        int index = item.indexOf(id);
        if (index < 0) {
            return CompletableFuture.completedFuture(false);
        }
        if (item.queue().get(index) instanceof Entry.OfSession entry) {
            Notice notice = new Notice(Notice.Wish.EVICT, key, entry.number(), operator);
            boolean isOwn = engine.get().evictIfOwn(key, entry, operator);
            CompletableFuture<Boolean> told =
                    isOwn ? CompletableFuture.completedFuture(true) : notify(entry.session(), notice);
            Deadline end = Deadline.at(time.moment().plus(patience));
            return told.thenCompose(isTold -> isTold
                    ? lookLater(() -> hasEffect(notice, entry, isOwn), FIRST_LOOK, end)
                    : CompletableFuture.completedFuture(false));
        }
        NavigableMap<Integer, Entry> kept =
                new TreeMap<>(Map.of(index, item.queue().get(index)));
        Edit edit = new Edit(
                kept, null, List.of(), 0, 0, true, null, 0, 0, engine.get().expiry(item));
        return send("evict", () -> store.edit(key, edit, engine.get().latestNow()))
                // Refused if the entry has moved up meanwhile, because entries before it have left.
                .thenCompose(answer -> answer.isApplied()
                        ? CompletableFuture.completedFuture(true)
                        : evict(key, id, operator, answer.item()));
    }

    /** Looks until the look says yes or the time is over. */
    private CompletableFuture<Boolean> lookLater(
            Supplier<CompletableFuture<Boolean>> look, Duration pause, Deadline end) {
        return pause(pause)
                .thenCompose(paused -> look.get())
                .thenCompose(isSeen -> isSeen || end.isPast(time.moment())
                        ? CompletableFuture.completedFuture(isSeen)
                        : lookLater(look, Durations.shorter(pause.multipliedBy(2), LONGEST_PAUSE_OF_LOOKS), end));
    }

    /**
     * Whether the entry is gone or has a new number, and that is not only because its turn goes on: either its process
     * does not hold the lock, or it has heard of the eviction. A process that has heard removes the notice.
     */
    private CompletableFuture<Boolean> hasEffect(Notice notice, Entry.OfSession evicted, boolean isOwn) {
        SessionId session = evicted.session();
        return send("evict", () -> store.read(notice.key(), true)).thenCompose(answer -> {
            LockItem lock = answer.content();
            boolean isGone = lock.indexOf(evicted.id()) < 0;
            boolean isHolding =
                    lock.queue().stream().limit(lock.holders()).anyMatch(entry -> session.equals(entry.session()));
            if (!isGone || isOwn || !isHolding) {
                return CompletableFuture.completedFuture(isGone);
            }
            return send("evict", () -> store.sessions(Set.of(session))).thenApply(found -> {
                Optional<SessionItem> item = found.content().get(session);
                return item != null
                        && item.stream().noneMatch(living -> living.notices().contains(notice.text()));
            });
        });
    }

    private CompletableFuture<Void> pause(Duration pause) {
        CompletableFuture<Void> paused = new CompletableFuture<>();
        loop.schedule(() -> paused.complete(null), pause);
        return paused;
    }

    private CompletableFuture<Boolean> notify(SessionId session, Notice notice) {
        return send(session, new SessionEdit.Notify(notice), 1).thenApply(answer -> {
            SessionItem refusing = answer.isApplied() ? null : answer.item().orElse(null);
            if (refusing != null) {
                throw new StoreFailure(
                        StoreFailure.Kind.THROTTLED,
                        PersonalText.owner(refusing.owner()) + " has not answered "
                                + refusing.notices().size()
                                + " earlier notices yet, which it does with each heartbeat, so it was not told of this"
                                + " one. Try again in a while.",
                        null);
            }
            return answer.isApplied();
        });
    }

    /** May send a notice that has arrived already, because a process obeys a notice once. */
    private CompletableFuture<Answer<Optional<SessionItem>>> send(SessionId session, SessionEdit notice, int attempt) {
        return send("evict", () -> store.edit(session, notice, null)).exceptionallyCompose(failure -> {
            if (attempt == ATTEMPTS || ((StoreFailure) failure).isLasting()) {
                return CompletableFuture.failedFuture(failure);
            }
            return pause(PAUSE.multipliedBy(attempt)).thenCompose(paused -> send(session, notice, attempt + 1));
        });
    }

    /**
     * Sends a call, and completes the future on the event loop. Fails after a stop, also for steps that were begun
     * before.
     */
    private <T> CompletableFuture<T> send(String operation, Supplier<CompletionStage<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (isStopped) {
            answer.completeExceptionally(shutDown());
        } else {
            calls.send(operation, call, answer::complete, answer::completeExceptionally);
        }
        return answer;
    }

    @SuppressWarnings("CollectionUndefinedEquality") // A future equals itself only.
    private <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> question) {
        CompletableFuture<T> result = Futures.of(
                () -> CompletableFuture.supplyAsync(question, this::runOnLoop).thenCompose(Function.identity()));
        open.add(result);
        result.whenComplete((answer, failure) -> open.remove(result));
        if (isStopped) {
            result.completeExceptionally(shutDown());
        }
        return result;
    }

    private void runOnLoop(Runnable step) {
        if (!loop.execute(step)) {
            throw shutDown();
        }
    }

    /**
     * To be called when the loop stops. Futures that are not complete fail, and so does everything asked from now on.
     */
    void stop() {
        isStopped = true;
        open.forEach(result -> result.completeExceptionally(shutDown()));
    }

    private static IllegalStateException shutDown() {
        return new IllegalStateException("the engine is shut down");
    }
}
