package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.InterceptedLockStore;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Rules that are wrong in one place each. Every bug must be found, by the simulator or by the model that reads the
 * traces of the simulator.
 */
final class DeliberateBugs {

    /**
     * @param danger what the bug would lead to
     * @param foundBy the first seed with which the simulator finds the bug; {@link #ONLY_TRACES} if the bug breaks no
     *     promise that the simulator checks
     */
    record Bug(String name, String danger, long foundBy, Supplier<Rules> rules) {

        @Override
        public String toString() {
            return name;
        }
    }

    static final long ONLY_TRACES = -1;

    /**
     * Bugs that are found where callers come back at once and nothing goes wrong: each leaves out a rule of {@link
     * Stays}.
     */
    static final List<Bug> OF_STAYS = List.of(
            new Bug(
                    "a spare slot serves whoever comes",
                    "callers pass those who queued before",
                    5,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        void closeSpareSlots(long lastServed, boolean isNobodyWaiting, Moment now) {}
                    })),
            new Bug(
                    "the lock is never left free",
                    "callers that do not wait are kept out",
                    708,
                    () -> staying(before -> new Stays(before) {
                        @Override
                        boolean isLeftFree() {
                            return false;
                        }
                    })),
            new Bug(
                    "others are not seen",
                    "every section of another process waits for a stay",
                    1,
                    () -> staying(before -> new Stays(before) {
                        @Override
                        void othersSeen(Moment now) {}
                    })),
            new Bug(
                    "a stay goes on whoever comes",
                    "readers wait for nobody",
                    5,
                    () -> staying(before -> new Stays(before) {
                        @Override
                        @Nullable
                        AcquireSpec end(Moment now) {
                            return null;
                        }
                    })),
            new Bug(
                    "a stay does not end",
                    "the lock lies idle",
                    0,
                    () -> staying(before -> new Stays(before) {
                        @Override
                        Moment until(OwnEntry entry, Moment now) {
                            return Moment.later(now, super.until(entry, now).plus(LONGER));
                        }
                    })),
            new Bug(
                    "a grant after the removal was sent",
                    "a holder whose entry is taken out",
                    0,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        void removalSent() {}
                    })),
            new Bug(
                    "any number of slots",
                    "tokens outrun the clock",
                    1,
                    () -> staying(before -> new Stays(before) {
                        @Override
                        int spareSlots(int waiters, Moment now) {
                            return areExpected(now) ? Stays.MOST_SLOTS : 0;
                        }
                    })));

    private static final Duration LONGER = Duration.ofMillis(300);

    private static Rules staying(Function<Stays.History, Stays> rule) {
        return new Rules() {
            @Override
            Stays stays(Stays.History before) {
                return rule.apply(before);
            }
        };
    }

    static final List<Bug> ALL = List.of(
            // What an item says
            new Bug("an older item counts", "entries that stand are taken for gone", 15, DeliberateBugs::believing),
            new Bug(
                    "the first entry is not looked at",
                    "two holders",
                    0,
                    () -> seeing(
                            item -> with(item, item.queue().stream().skip(1).toList()))),
            new Bug(
                    "readers hold the lock behind a writer",
                    "a writer beside readers",
                    0,
                    () -> seeing(item -> with(
                            item,
                            item.queue().stream()
                                    .sorted(Comparator.comparing(entry -> entry.mode() != Mode.SHARED))
                                    .toList()))),
            new Bug(
                    "tickets from an item without its tail",
                    "fencing tokens that fall",
                    9,
                    () -> seeing(item -> new LockItem(
                            item.tail() + item.queue().size(), item.queue(), item.permits(), item.data()))),
            // Who gets the lock
            new Bug(
                    "no check of the session before a grant",
                    "who was asleep is told that it has the lock",
                    13,
                    () -> new Rules() {
                        @Override
                        Now now(Now now) {
                            return new Now(now.moment(), now.wall(), true);
                        }
                    }),
            new Bug("holders of one process are not held against each other", "two holders", 0, () -> new Rules() {
                @Override
                Holds holds() {
                    return new Holds() {
                        @Override
                        boolean allowAnother(Mode mode) {
                            return true;
                        }
                    };
                }
            }),
            new Bug(
                    "a permit serves more than one",
                    "more holders than there are permits",
                    12,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        int slotsLeft() {
                            return mode() == Mode.PERMIT && stage() != Stage.REMOVING ? 1 : super.slotsLeft();
                        }
                    })),
            new Bug(
                    "a grant after a removal was sent",
                    "a holder whose entry is taken out",
                    1,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        void removalSent() {}
                    })),
            new Bug(
                    "a grant while a reissue may land",
                    "a former holder's data lands under the next",
                    0,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        boolean canServeNow() {
                            return stage() == Stage.STANDING && slotsLeft() > 0;
                        }

                        @Override
                        boolean keepsNextWaiting() {
                            return false;
                        }
                    })),
            new Bug(
                    "the next grant before a fenced entry is out",
                    "a former holder's fence is good",
                    4,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        void requireNewNumber() {}
                    })),
            new Bug(
                    "a writer passes an earlier entry of its run",
                    "a former holder's fence is good",
                    0,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        boolean keepsNextWaiting() {
                            return false;
                        }
                    })),
            new Bug(
                    "a shared slot serves who comes later",
                    "readers pass a writer",
                    0,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        long lastArrivalServed() {
                            return Long.MAX_VALUE;
                        }
                    })),
            // Reissues and edits that may still land
            new Bug(
                    "a reissue revives used slots",
                    "two grants with one ticket",
                    488,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        void reissueSent(Entry.OfSession to, int holders, @Nullable LockData data) {
                            super.reissueSent(to, 0, data);
                        }
                    })),
            new Bug(
                    "only the latest reissue is remembered",
                    "a holder whose entry stands is told that it is gone",
                    759,
                    () -> withOwn(entry -> new Known(entry) {
                        private Entry.@Nullable OfSession last;

                        @Override
                        void reissueSent(Entry.OfSession to, int holders, @Nullable LockData data) {
                            if (last != null) {
                                reissueRefused(last);
                            }
                            last = to;
                            super.reissueSent(to, holders, data);
                        }
                    })),
            new Bug(
                    "an edit that failed counts as one that never lands",
                    "entries of which nobody knows",
                    375,
                    () -> changing((event, now) -> event instanceof Event.EditFailed failed
                            ? new Event.EditFailed(
                                    failed.call(), new StoreFailure(StoreFailure.Kind.THROTTLED, "not at all", null))
                            : event)),
            new Bug(
                    "an edit that failed is waited for",
                    "nobody is served any more",
                    0,
                    () -> unheard(Event.EditFailed.class)),
            // What a process writes
            new Bug(
                    "finished entries stay",
                    "the lock is held by nobody",
                    0,
                    () -> deciding((edit, situation) -> edit.removed.clear())),
            new Bug(
                    "orphans stay",
                    "the lock is held by nobody",
                    40,
                    () -> deciding((edit, situation) -> edit.removed
                            .values()
                            .removeIf(entry -> situation.session().equals(entry.session())
                                    && situation.own().stream()
                                            .noneMatch(own -> own.entry().equals(entry))))),
            new Bug("an entry with a holder is taken out", "two holders", 0, () -> new Rules() {
                @Override
                NextWrite.Decision decision(NextWrite.Decision decision, Situation situation) {
                    return decision.edit() == null ? takingOutHolder(decision, situation) : decision;
                }
            }),
            new Bug("everybody ahead counts as dead", "two holders", 0, () -> new Rules() {
                @Override
                NavigableMap<Integer, Entry> failed(NavigableMap<Integer, Entry> failed, Situation situation) {
                    NavigableMap<Integer, Entry> others = new TreeMap<>();
                    List<Entry> queue = situation.item().queue();
                    for (int i = 0; i < queue.size() && situation.somebodyWaits(); i++) {
                        if (!situation.session().equals(queue.get(i).session())) {
                            others.put(i, queue.get(i));
                        }
                    }
                    return others;
                }
            }),
            new Bug(
                    "the data of a release is forgotten when its entry goes",
                    "the next holder finds older data",
                    1,
                    () -> deciding((edit, situation) -> edit.data = edit.reissue == null ? null : edit.data)),
            // Callers
            new Bug("a release is not heard", "the lock is held by nobody", 0, () -> unheard(Event.Released.class)),
            new Bug(
                    "the longest hold never ends",
                    "a caller that hangs keeps the lock",
                    1,
                    () -> unheard(Event.Forced.class)),
            new Bug("a finite wait never ends", "a caller hangs", 6, () -> unheard(Event.WaitOver.class)),
            new Bug("a new session is not heard of", "callers that wait are not served", 0, () -> new Rules() {
                private boolean hasHeard;

                @Override
                Event event(Event event, Now now) {
                    boolean isSecond = event instanceof Event.SessionBegan && hasHeard;
                    hasHeard |= event instanceof Event.SessionOver;
                    return isSecond ? new Event.Woke() : event;
                }
            }),
            // Notices
            new Bug(
                    "a question is not looked into",
                    "an entry of which nobody knows keeps the lock",
                    241,
                    () -> changing((event, now) -> event instanceof Event.Notified notified
                                    && notified.notice().wish() == Notice.Wish.TAKE_OUT_IF_UNWANTED
                            ? new Event.Woke()
                            : event)),
            // Sessions
            new Bug(
                    "the lease is taken for twice as long",
                    "handles are valid after others have expired the session",
                    100,
                    () -> new Rules() {
                        @Override
                        LockStore way(LockStore way) {
                            return new InterceptedLockStore(way) {
                                @Override
                                public CompletionStage<Answer<Optional<SessionItem>>> edit(
                                        SessionId id, SessionEdit edit, @Nullable Instant now) {
                                    return super.edit(
                                            id,
                                            edit instanceof SessionEdit.Begin begin
                                                    ? new SessionEdit.Begin(
                                                            begin.lease().dividedBy(2), begin.owner(), begin.at())
                                                    : edit,
                                            now);
                                }
                            };
                        }
                    }),
            new Bug("nobody is watched", "the locks of the dead are never free", 12, () -> new Rules() {
                @Override
                Peers peers(EngineSettings settings) {
                    return new Peers(settings) {
                        @Override
                        List<PeerEffect> watch(LockKey key, Set<SessionId> ids, Moment now) {
                            return super.watch(key, Set.of(), now);
                        }
                    };
                }
            }),
            // The table
            new Bug(
                    "take out whatever stands there",
                    "a late edit takes out the next holder",
                    1,
                    () -> applying((edit, item) -> {
                        edit.removed.keySet().removeIf(i -> i >= item.queue().size());
                        edit.removed.replaceAll((i, entry) -> item.queue().get(i));
                    })),
            new Bug(
                    "reissue whatever stands there",
                    "a late edit takes the lock from the next holder",
                    13,
                    () -> applying((edit, item) -> {
                        Edit.Reissue put = edit.reissue;
                        if (put != null && put.index() < item.queue().size()) {
                            edit.reissue =
                                    new Edit.Reissue(put.index(), item.queue().get(put.index()), put.to());
                        }
                    })),
            new Bug(
                    "append though there is another number of permits",
                    "each process has its own number of permits",
                    40,
                    () -> applying((edit, item) -> {
                        edit.newPermits = edit.permits > 0 ? edit.permits : edit.newPermits;
                        edit.permits = 0;
                    })),
            new Bug(
                    "append though the queue is full",
                    "the item grows beyond what a table can write",
                    ONLY_TRACES,
                    () -> applying((edit, item) -> edit.bound = 1_000)),
            new Bug(
                    "an append comes first",
                    "the last to come has the lock first",
                    0,
                    () -> storing((before, edit, after) -> {
                        List<Entry> queue = new ArrayList<>(edit.appended());
                        queue.addAll(after.queue().subList(0, after.queue().size() - queue.size()));
                        return with(after, queue);
                    })),
            new Bug(
                    "a removal or a reissue does not raise the tail",
                    "older items count as newer",
                    150,
                    () -> storing((before, edit, after) -> edit.appended().isEmpty()
                            ? new LockItem(before.tail(), after.queue(), after.permits(), after.data())
                            : after)),
            new Bug(
                    "an append raises the tail by one",
                    "two grants with one ticket",
                    0,
                    () -> storing((before, edit, after) -> before.exists()
                            ? new LockItem(before.tail() + 1, after.queue(), after.permits(), after.data())
                            : after)),
            new Bug(
                    "data is never cleared away by later data",
                    "a holder finds what a former one has left",
                    0,
                    () -> storing((before, edit, after) -> before.data().equals(LockData.EMPTY)
                            ? after
                            : new LockItem(after.tail(), after.queue(), after.permits(), before.data()))));

    private DeliberateBugs() {}

    static Rules named(String name) {
        return ALL.stream()
                .filter(bug -> bug.name().equals(name))
                .findFirst()
                .orElseThrow()
                .rules()
                .get();
    }

    private static LockItem with(LockItem item, List<Entry> queue) {
        return new LockItem(item.tail(), queue, item.permits(), item.data());
    }

    /** An edit that removes the first entry of the queue, if that is an own one by which somebody may hold the lock. */
    private static NextWrite.Decision takingOutHolder(NextWrite.Decision decision, Rules.Situation situation) {
        Entry first = situation.item().first();
        boolean isOwn = situation.own().stream()
                .anyMatch(own -> own.entry().equals(first) && own.stage() == OwnEntry.Stage.STANDING);
        if (first == null || !isOwn) {
            return decision;
        }
        Edit edit = new Edit(new TreeMap<>(Map.of(0, first)), null, List.of(), 0, 0, true, null, 0, 0);
        return new NextWrite.Decision(new SentEdit(edit, List.of(), situation.now()), 0, Deadline.NEVER);
    }

    // Rules that change what an engine hears, sees, knows or decides

    private static Rules changing(BiFunction<Event, Now, Event> change) {
        return new Rules() {
            @Override
            Event event(Event event, Now now) {
                return change.apply(event, now);
            }
        };
    }

    private static Rules unheard(Class<? extends Event> type) {
        return changing((event, now) -> type.isInstance(event) ? new Event.Woke() : event);
    }

    /** Takes the answer to each read for one that is consistent and was asked for just now. */
    private static Rules believing() {
        return new Rules() {
            @Override
            List<Event> events(Event event, Now now) {
                return event instanceof Event.Read read
                        ? List.of(new Event.Shown(read.answer(), now.moment()), event)
                        : super.events(event, now);
            }
        };
    }

    private static Rules seeing(UnaryOperator<LockItem> change) {
        return changing((event, now) -> event instanceof Event.Read read
                ? new Event.Read(
                        read.call(),
                        new Found<>(change.apply(read.item()), read.answer().storeTime()))
                : event instanceof Event.Edited edited
                        ? new Event.Edited(
                                edited.call(),
                                new Answer<>(
                                        change.apply(edited.item()),
                                        edited.isApplied(),
                                        edited.answer().storeTime()))
                        : event);
    }

    /** Base of own entries that know something wrong. */
    private static class Known extends OwnEntry {

        Known(OwnEntry entry) {
            super(entry.entry(), entry.sentAt(), entry.lastArrival(), entry.hasSpare(), entry.slotsForWaiters());
        }
    }

    private static Rules withOwn(UnaryOperator<OwnEntry> known) {
        return sending((sent, situation) ->
                new SentEdit(sent.edit(), sent.appended().stream().map(known).toList(), sent.sentAt()));
    }

    private static Rules deciding(BiConsumer<Draft, Rules.Situation> change) {
        return sending((sent, situation) -> new SentEdit(
                Draft.changed(sent.edit(), draft -> change.accept(draft, situation)), sent.appended(), sent.sentAt()));
    }

    private static Rules sending(BiFunction<SentEdit, Rules.Situation, SentEdit> change) {
        return new Rules() {
            @Override
            NextWrite.Decision decision(NextWrite.Decision decision, Situation situation) {
                SentEdit sent = decision.edit();
                return sent == null
                        ? decision
                        : new NextWrite.Decision(
                                change.apply(sent, situation), decision.numbersUsed(), decision.askAgain());
            }
        };
    }

    /** An edit that may still be changed. */
    private static final class Draft {

        private final NavigableMap<Integer, Entry> removed;
        private Edit.@Nullable Reissue reissue;
        private int bound;
        private int permits;
        private @Nullable LockData data;
        private int newPermits;

        private Draft(Edit edit) {
            removed = new TreeMap<>(edit.removed());
            reissue = edit.reissue();
            bound = edit.bound();
            permits = edit.permits();
            data = edit.data();
            newPermits = edit.newPermits();
        }

        static Edit changed(Edit edit, Consumer<Draft> change) {
            Draft draft = new Draft(edit);
            change.accept(draft);
            return new Edit(
                    draft.removed,
                    draft.reissue,
                    edit.appended(),
                    draft.bound,
                    draft.permits,
                    edit.mustExist(),
                    draft.data,
                    draft.newPermits,
                    edit.base());
        }
    }

    // Tables that do something else with edits

    private interface Storing {

        LockItem item(LockItem before, Edit edit, LockItem after);
    }

    private static Rules applying(BiConsumer<Draft, LockItem> change) {
        return onTable(
                (edit, item) -> Draft.changed(edit, draft -> change.accept(draft, item)),
                (before, edit, after) -> after);
    }

    private static Rules storing(Storing change) {
        return onTable((edit, item) -> edit, change);
    }

    private static Rules onTable(BiFunction<Edit, LockItem, Edit> applied, Storing stored) {
        return new Rules() {
            @Override
            LockStore tableOf(InMemoryLockStore table) {
                return new InterceptedLockStore(table) {
                    @Override
                    public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, @Nullable Instant now) {
                        LockItem before = table.lock(key);
                        Answer<LockItem> answer = applied.apply(edit, before).on(before);
                        if (!answer.isApplied()) {
                            return CompletableFuture.completedFuture(answer);
                        }
                        LockItem item = stored.item(before, edit, answer.item());
                        long tickets = Math.max(1, item.slotsBefore(item.queue().size()));
                        table.removeLock(key);
                        return table.edit(
                                key,
                                new Edit(
                                        new TreeMap<>(),
                                        null,
                                        item.queue(),
                                        Integer.MAX_VALUE,
                                        0,
                                        false,
                                        item.data(),
                                        item.permits(),
                                        item.tail() - tickets),
                                now);
                    }
                };
            }
        };
    }
}
