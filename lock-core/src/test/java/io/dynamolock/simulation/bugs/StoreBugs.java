package io.dynamolock.simulation.bugs;

import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.simulation.Twist;
import io.dynamolock.store.LockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Calls that an engine does not make, makes once too few, or hears wrongly. */
final class StoreBugs {

    static final List<Bug> ALL = List.of(
            forgets(
                    "no release",
                    step -> step instanceof Step.Leave leave && leave.entries().containsKey(0),
                    "the lock is held by nobody for as long as the process lives",
                    0),
            forgets(
                    "a place is never given up",
                    step -> step instanceof Step.Leave leave && leave.entries().firstKey() > 0,
                    "everyone behind waits for somebody who has left",
                    0),
            forgets(
                    "the dead are not cleared away",
                    step -> step instanceof Step.Leave leave && leave.entries().size() > 1,
                    "the lock of a dead process is free for nobody",
                    0),
            once(
                    "a release is sent once",
                    step -> step instanceof Step.Leave,
                    "one lost call, and the queue stands still",
                    2),
            once(
                    "an ask is sent once",
                    step -> step instanceof Step.Ask,
                    "one lost answer, and the wait never ends",
                    1),
            once(
                    "a rename is sent once",
                    step -> step instanceof Step.Rename,
                    "one lost call, and the queue stands still",
                    105),
            once(
                    "a growth is sent once",
                    step -> step instanceof Step.Grow,
                    "one lost answer, and the wait never ends",
                    120),
            instead(
                    "no rename after a forced end",
                    step -> step instanceof Step.Rename rename ? new Step.Rename(rename.from(), rename.from()) : step,
                    "a caller that was forced out still finds its block holding the lock, or nobody goes on",
                    2),
            instead(
                    "callers who wait ask only if the lock is free",
                    step -> step instanceof Step.Ask ask ? new Step.Ask(ask.entry(), ask.base(), 1) : step,
                    "whoever comes at the right moment gets the lock, not who came first",
                    0),
            instead(
                    "callers who do not wait stand in the queue",
                    step -> step instanceof Step.Ask ask ? new Step.Ask(ask.entry(), ask.base(), 200) : step,
                    "a caller that asked to fail at once waits",
                    26),
            instead(
                    "only the first place is left",
                    step -> step instanceof Step.Leave leave
                            ? Step.Leave.of(0, leave.entries().firstEntry().getValue())
                            : step,
                    "everyone behind waits for somebody who has left",
                    0),
            look("the first block looks gone", item -> new LockItem(item.tail(), rest(item)), "two holders", 0),
            look(
                    "looks show an empty queue",
                    item -> new LockItem(item.tail(), List.of()),
                    "nobody sees that it is first",
                    0),
            sessionCalls(
                    "no heartbeat", step -> step instanceof SessionStep.Beat, "every lock is lost after a lease", 0),
            sessionCalls(
                    "no dispute",
                    step -> step instanceof SessionStep.Raise,
                    "a write that landed late keeps the lock from everyone",
                    6),
            sessionCalls(
                    "nobody is buried",
                    step -> step instanceof SessionStep.Bury,
                    "the locks of a dead process are never free",
                    0),
            sessionCalls(
                    "no session is ended",
                    step -> step instanceof SessionStep.End,
                    "others wait a lease for locks that nobody holds",
                    0),
            store(
                    "the end of a session is tried once",
                    EndsOnce::new,
                    "others wait a lease for locks that nobody holds",
                    0),
            onSessions(
                    "buried after half a lease",
                    item -> new SessionItem(
                            item.beat(), item.lease().dividedBy(2), item.owner(), item.beatAt(), item.disputes()),
                    "a session is buried while its locks are valid",
                    0),
            onSessions(
                    "beats look older than they are",
                    item -> new SessionItem(
                            item.beat(),
                            item.lease(),
                            item.owner(),
                            item.beatAt().minus(Duration.ofHours(1)),
                            item.disputes()),
                    "all the living are buried by wall clock",
                    0),
            onSessions(
                    "a new beat does not end the silence",
                    item -> new SessionItem(1, item.lease(), item.owner(), item.beatAt(), item.disputes()),
                    "nobody can be buried, or everybody is",
                    0),
            store("sessions that live count as gone", Invisible::new, "locks are taken from the living", 0),
            store(
                    "disputes are not heard",
                    DeafToDisputes::new,
                    "a write that landed late keeps the lock from everyone",
                    5),
            store("every block is disputed", Disputed::new, "whoever holds a lock loses it", 0),
            store("what is refused counts as done", Yes::new, "two holders", 1),
            store("the tickets are those of an older look", OldTail::new, "numbers go back", 0));

    private StoreBugs() {}

    private static List<Entry> rest(LockItem item) {
        return item.queue().isEmpty()
                ? List.of()
                : item.queue().subList(1, item.queue().size());
    }

    private static <T> CompletionStage<T> unheard() {
        return new CompletableFuture<>();
    }

    /** The calls are made only in the engine's imagination, and seem to have succeeded. */
    private static Bug forgets(String name, Predicate<Step> calls, String danger, long foundBy) {
        return store(
                name,
                link -> new StoreAround(link) {
                    @Override
                    public CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now) {
                        return calls.test(step) ? seems(key, step) : super.take(key, step, now);
                    }

                    private CompletionStage<Answer<LockItem>> seems(LockKey key, Step step) {
                        return store.look(key, true).thenApply(step::on);
                    }
                },
                danger,
                foundBy);
    }

    /** A step that is sent again is not sent, and nobody hears of it. */
    private static Bug once(String name, Predicate<Step> calls, String danger, long foundBy) {
        return store(
                name,
                link -> new StoreAround(link) {
                    private final Set<Step> sent = new HashSet<>();

                    @Override
                    public CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now) {
                        // An ask is told by its entry: its base is that of the moment.
                        Step same = step instanceof Step.Ask ask ? new Step.Ask(ask.entry(), 0, ask.most()) : step;
                        return calls.test(step) && !sent.add(same) ? unheard() : super.take(key, step, now);
                    }
                },
                danger,
                foundBy);
    }

    private static Bug instead(String name, UnaryOperator<Step> other, String danger, long foundBy) {
        return store(
                name,
                link -> new StoreAround(link) {
                    @Override
                    public CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now) {
                        return super.take(key, other.apply(step), now);
                    }
                },
                danger,
                foundBy);
    }

    private static Bug look(String name, UnaryOperator<LockItem> shown, String danger, long foundBy) {
        return store(
                name,
                link -> new StoreAround(link) {
                    @Override
                    public CompletionStage<LockItem> look(LockKey key, boolean consistent) {
                        return super.look(key, consistent).thenApply(shown);
                    }
                },
                danger,
                foundBy);
    }

    private static Bug sessionCalls(String name, Predicate<SessionStep> forgotten, String danger, long foundBy) {
        return store(
                name,
                link -> new StoreAround(link) {
                    @Override
                    public CompletionStage<Answer<Optional<SessionItem>>> take(
                            SessionId id, SessionStep step, Instant now) {
                        return forgotten.test(step) ? unheard() : super.take(id, step, now);
                    }
                },
                danger,
                foundBy);
    }

    private static Bug onSessions(String name, UnaryOperator<SessionItem> shown, String danger, long foundBy) {
        return store(
                name,
                link -> new StoreAround(link) {
                    @Override
                    public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
                        return super.sessions(ids).thenApply(found -> {
                            Map<SessionId, Optional<SessionItem>> seen = new HashMap<>();
                            found.forEach((id, item) -> seen.put(id, item.map(shown)));
                            return seen;
                        });
                    }
                },
                danger,
                foundBy);
    }

    private static Bug store(String name, Function<LockStore, LockStore> around, String danger, long foundBy) {
        Twist twist = new Twist() {
            @Override
            public LockStore store(LockStore link, EventLoop loop, TimeSource clock) {
                return around.apply(link);
            }
        };
        return new TwistedBug(name, () -> twist, danger, foundBy);
    }

    private static final class EndsOnce extends StoreAround {

        private final Set<SessionId> ended = new HashSet<>();

        EndsOnce(LockStore store) {
            super(store);
        }

        @Override
        public CompletionStage<Answer<Optional<SessionItem>>> take(SessionId id, SessionStep step, Instant now) {
            boolean isAgain = step instanceof SessionStep.End && !ended.add(id);
            return isAgain ? unheard() : super.take(id, step, now);
        }
    }

    private static final class Invisible extends StoreAround {

        Invisible(LockStore store) {
            super(store);
        }

        @Override
        public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
            return super.sessions(ids).thenApply(found -> {
                Map<SessionId, Optional<SessionItem>> gone = new HashMap<>();
                ids.forEach(id -> gone.put(id, Optional.empty()));
                return gone;
            });
        }
    }

    private static final class DeafToDisputes extends StoreAround {

        DeafToDisputes(LockStore store) {
            super(store);
        }

        @Override
        public CompletionStage<Answer<Optional<SessionItem>>> take(SessionId id, SessionStep step, Instant now) {
            return super.take(id, step, now).thenApply(answer -> {
                Optional<SessionItem> item = answer.item()
                        .map(found ->
                                new SessionItem(found.beat(), found.lease(), found.owner(), found.beatAt(), Set.of()));
                return answer.isApplied() ? new Answer.Applied<>(item) : new Answer.Refused<>(item);
            });
        }
    }

    /** Takes what it asked for for questions about it. */
    private static final class Disputed extends StoreAround {

        private final List<Entry> asked = new ArrayList<>();

        Disputed(LockStore store) {
            super(store);
        }

        @Override
        public CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now) {
            if (step instanceof Step.Ask ask) {
                asked.add(ask.entry());
            } else if (asked.size() > 2) {
                Entry old = asked.remove(0);
                store.look(key, true).thenAccept(item -> {
                    int index = item.indexOf(old.block());
                    if (index >= 0) {
                        store.take(key, Step.Leave.of(index, item.queue().get(index)), now);
                    }
                });
            }
            return super.take(key, step, now);
        }
    }

    private static final class Yes extends StoreAround {

        Yes(LockStore store) {
            super(store);
        }

        @Override
        public CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now) {
            return super.take(key, step, now).thenApply(answer -> {
                if (!answer.isApplied() && step instanceof Step.Ask ask) {
                    List<Entry> queue = new ArrayList<>(answer.item().queue());
                    queue.add(0, ask.entry());
                    return new Answer.Applied<>(new LockItem(answer.item().tail() + 1, queue));
                }
                return answer;
            });
        }
    }

    private static final class OldTail extends StoreAround {

        private final Map<LockKey, Long> tails = new HashMap<>();

        OldTail(LockStore store) {
            super(store);
        }

        @Override
        public CompletionStage<LockItem> look(LockKey key, boolean consistent) {
            return super.look(key, consistent)
                    .thenApply(item -> new LockItem(tails.computeIfAbsent(key, absent -> item.tail()), item.queue()));
        }
    }
}
