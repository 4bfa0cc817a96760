package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rules that are wrong in one place each. Somebody has to find every one of them: the simulator, or the model that reads its traces. */
final class DeliberateBugs {

    /**
     * @param danger what it would lead to
     * @param foundBy the first seed that shows it; {@link #ONLY_TRACES} if no promise is broken that the simulator checks
     */
    record Bug(String name, String danger, long foundBy, Supplier<Rules> rules) {

        @Override
        public String toString() {
            return name;
        }
    }

    static final long ONLY_TRACES = -1;

    static final List<Bug> ALL = List.of(
            // What an item tells
            new Bug("an older item counts", "entries that stand are taken for gone", 19, () -> new Rules() {
                @Override
                Event event(Event event, Now now) {
                    return event instanceof Event.Read read
                            ? new Event.Read(new SentRead(true, now.nanos()), read.item())
                            : event;
                }
            }),
            new Bug("the first entry is not looked at", "two holders", 0, () -> new Rules() {
                @Override
                Event event(Event event, Now now) {
                    return seen(
                            event,
                            item -> with(
                                    item,
                                    item.queue()
                                            .subList(
                                                    Math.min(1, item.queue().size()),
                                                    item.queue().size())));
                }
            }),
            new Bug("readers hold the lock behind a writer", "a writer beside readers", 0, () -> new Rules() {
                @Override
                Event event(Event event, Now now) {
                    return seen(event, item -> {
                        List<Entry> queue = new ArrayList<>(item.queue());
                        queue.sort((one, other) ->
                                Boolean.compare(one.mode() != Mode.SHARED, other.mode() != Mode.SHARED));
                        return with(item, queue);
                    });
                }
            }),
            new Bug("tickets from an item without its tail", "fencing tokens that fall", 9, () -> new Rules() {
                @Override
                Event event(Event event, Now now) {
                    return seen(
                            event,
                            item -> new LockItem(
                                    item.tail() + item.queue().size(), item.queue(), item.permits(), item.data()));
                }
            }),
            // Whom it grants
            new Bug(
                    "no check of the session before a grant",
                    "who was asleep is told that it has the lock",
                    45,
                    () -> new Rules() {
                        @Override
                        Now now(Now now) {
                            return new Now(now.nanos(), now.storeTime(), true);
                        }
                    }),
            new Bug("holders of one process are not held against each other", "two holders", 0, () -> new Rules() {
                @Override
                boolean goesWithHolders(boolean goes, Mode mode) {
                    return true;
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
                    0,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        void fence() {}
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
                    9,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        boolean mayServe(Waiter waiter) {
                            return waiter.mode() == mode();
                        }
                    })),
            // Reissues and edits that may still land
            new Bug(
                    "a reissue revives used slots",
                    "two grants with one ticket",
                    154,
                    () -> withOwn(entry -> new Known(entry) {
                        @Override
                        void reissueSent(Entry.OfSession to, int holders, @Nullable LockData data) {
                            super.reissueSent(to, 0, data);
                        }
                    })),
            new Bug(
                    "only the latest reissue is remembered",
                    "a holder whose entry stands is told that it is gone",
                    962,
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
                    152,
                    () -> new Rules() {
                        @Override
                        Event event(Event event, Now now) {
                            return event instanceof Event.EditFailed failed
                                    ? new Event.EditFailed(
                                            failed.sent(),
                                            new StoreFailure(StoreFailure.Kind.THROTTLED, "not at all", null))
                                    : event;
                        }
                    }),
            new Bug("an edit that failed is waited for", "nobody is served any more", 0, () -> new Rules() {
                @Override
                Event event(Event event, Now now) {
                    return event instanceof Event.EditFailed ? new Event.Woke() : event;
                }
            }),
            // What it writes
            new Bug(
                    "finished entries stay",
                    "the lock is held by nobody",
                    0,
                    () -> decided((edit, view) -> new Edit(
                            new TreeMap<>(),
                            edit.reissue(),
                            edit.appended(),
                            edit.bound(),
                            edit.permits(),
                            edit.mustExist(),
                            edit.data(),
                            edit.newPermits(),
                            edit.base()))),
            new Bug(
                    "orphans stay",
                    "the lock is held by nobody",
                    40,
                    () -> decided((edit, view) -> {
                        NavigableMap<Integer, Entry> known = new TreeMap<>(edit.removed());
                        known.values()
                                .removeIf(entry -> view.session().equals(entry.session())
                                        && view.entries().stream()
                                                .noneMatch(own -> own.entry().equals(entry)));
                        return new Edit(
                                known,
                                edit.reissue(),
                                edit.appended(),
                                edit.bound(),
                                edit.permits(),
                                edit.mustExist(),
                                edit.data(),
                                edit.newPermits(),
                                edit.base());
                    })),
            new Bug("an entry with a holder is taken out", "two holders", 1, () -> new Rules() {
                @Override
                NextWrite.View view(NextWrite.View view) {
                    return new NextWrite.View(
                            view.item(),
                            view.session(),
                            view.nextNumber(),
                            view.base(),
                            view.entries(),
                            view.waiters(),
                            List.of(),
                            view.over(),
                            view.isClosing(),
                            view.touch(),
                            view.lastGaveUp(),
                            view.comingBack(),
                            view.maxQueue(),
                            view.meanCall(),
                            view.meanSection());
                }
            }),
            new Bug("everybody ahead counts as dead", "two holders", 0, () -> new Rules() {
                @Override
                NextWrite.View view(NextWrite.View view) {
                    NavigableMap<Integer, Entry> over = new TreeMap<>();
                    List<Entry> queue = view.shown().queue();
                    for (int i = 0; i < queue.size() && !view.waiters().isEmpty(); i++) {
                        if (!view.session().equals(queue.get(i).session())) {
                            over.put(i, queue.get(i));
                        }
                    }
                    return new NextWrite.View(
                            view.item(),
                            view.session(),
                            view.nextNumber(),
                            view.base(),
                            view.entries(),
                            view.waiters(),
                            view.holds(),
                            over,
                            view.isClosing(),
                            view.touch(),
                            view.lastGaveUp(),
                            view.comingBack(),
                            view.maxQueue(),
                            view.meanCall(),
                            view.meanSection());
                }
            }),
            new Bug(
                    "the data of a release is forgotten when its entry goes",
                    "the next holder finds older data",
                    1,
                    () -> decided((edit, view) -> new Edit(
                            edit.removed(),
                            edit.reissue(),
                            edit.appended(),
                            edit.bound(),
                            edit.permits(),
                            edit.mustExist(),
                            edit.reissue() == null ? null : edit.data(),
                            edit.newPermits(),
                            edit.base()))),
            // Callers
            new Bug("a release is not heard", "the lock is held by nobody", 0, () -> unheard(Event.Released.class)),
            new Bug(
                    "the longest hold never ends",
                    "a caller that hangs keeps the lock",
                    3,
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
                    40,
                    () -> changing(event -> event instanceof Event.Notified notified
                                    && notified.notice().wish() == Notice.Wish.CONFIRM
                            ? new Event.Woke()
                            : event)),
            // Sessions
            new Bug(
                    "the lease is taken for twice as long",
                    "handles are valid after others have expired the session",
                    1503,
                    () -> new Rules() {
                        @Override
                        LockStore way(LockStore way) {
                            return new TraceRecorder.Way(way) {
                                @Override
                                public CompletionStage<Answer<Optional<SessionItem>>> edit(
                                        SessionId id, SessionEdit edit, Instant now) {
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
            new Bug("a session is expired after half a lease", "two holders", 131, () -> new Rules() {
                @Override
                Peers peers(EngineSettings settings) {
                    return new Peers(
                            settings,
                            new FailureDetection(
                                    settings.lease(),
                                    settings.lease().dividedBy(2).negated(),
                                    settings.maxClockSkew()));
                }
            }),
            new Bug("nobody is watched", "the locks of the dead are never free", 13, () -> new Rules() {
                @Override
                Peers peers(EngineSettings settings) {
                    return new Peers(settings, settings.detection()) {
                        @Override
                        List<Effect> watch(LockKey key, List<SessionId> ids, long nowNanos) {
                            return super.watch(key, List.of(), nowNanos);
                        }
                    };
                }
            }),
            // The table
            new Bug(
                    "take out whatever stands there",
                    "a late edit takes out the next holder",
                    4,
                    () -> applying((edit, item) -> {
                        NavigableMap<Integer, Entry> there = new TreeMap<>();
                        edit.removed().keySet().stream()
                                .filter(i -> i < item.queue().size())
                                .forEach(i -> there.put(i, item.queue().get(i)));
                        return new Edit(
                                there,
                                edit.reissue(),
                                edit.appended(),
                                edit.bound(),
                                edit.permits(),
                                edit.mustExist(),
                                edit.data(),
                                edit.newPermits(),
                                edit.base());
                    })),
            new Bug(
                    "reissue whatever stands there",
                    "a late edit takes the lock from the next holder",
                    19,
                    () -> applying((edit, item) -> {
                        Edit.Reissue put = edit.reissue();
                        boolean isThere =
                                put != null && put.index() < item.queue().size();
                        return new Edit(
                                edit.removed(),
                                isThere
                                        ? new Edit.Reissue(
                                                put.index(), item.queue().get(put.index()), put.to())
                                        : put,
                                edit.appended(),
                                edit.bound(),
                                edit.permits(),
                                edit.mustExist(),
                                edit.data(),
                                edit.newPermits(),
                                edit.base());
                    })),
            new Bug(
                    "append though there is another number of permits",
                    "each process has its own number of permits",
                    46,
                    () -> applying((edit, item) -> new Edit(
                            edit.removed(),
                            edit.reissue(),
                            edit.appended(),
                            edit.bound(),
                            0,
                            edit.mustExist(),
                            edit.data(),
                            edit.permits() > 0 ? edit.permits() : edit.newPermits(),
                            edit.base()))),
            new Bug(
                    "append though the queue is full",
                    "the item grows beyond what a table can write",
                    ONLY_TRACES,
                    () -> applying((edit, item) -> new Edit(
                            edit.removed(),
                            edit.reissue(),
                            edit.appended(),
                            1_000,
                            edit.permits(),
                            edit.mustExist(),
                            edit.data(),
                            edit.newPermits(),
                            edit.base()))),
            new Bug("an append comes first", "the last to come has the lock first", 0, () -> new Rules() {
                @Override
                LockStore tableOf(InMemoryLockStore table) {
                    return new Changed(table, (edit, item) -> edit) {
                        @Override
                        LockItem changed(LockItem before, Edit edit, LockItem after) {
                            List<Entry> queue = new ArrayList<>(edit.appended());
                            queue.addAll(after.queue()
                                    .subList(
                                            0,
                                            after.queue().size()
                                                    - edit.appended().size()));
                            return with(after, queue);
                        }
                    };
                }
            }),
            new Bug(
                    "a removal or a reissue does not raise the tail",
                    "older items count as newer",
                    88,
                    () -> new Rules() {
                        @Override
                        LockStore tableOf(InMemoryLockStore table) {
                            return new Changed(table, (edit, item) -> edit) {
                                @Override
                                LockItem changed(LockItem before, Edit edit, LockItem after) {
                                    return edit.appended().isEmpty()
                                            ? new LockItem(before.tail(), after.queue(), after.permits(), after.data())
                                            : after;
                                }
                            };
                        }
                    }),
            new Bug("an append raises the tail by one", "two grants with one ticket", 2, () -> new Rules() {
                @Override
                LockStore tableOf(InMemoryLockStore table) {
                    return new Changed(table, (edit, item) -> edit) {
                        @Override
                        LockItem changed(LockItem before, Edit edit, LockItem after) {
                            return before.exists()
                                    ? new LockItem(before.tail() + 1, after.queue(), after.permits(), after.data())
                                    : after;
                        }
                    };
                }
            }),
            new Bug(
                    "data is never cleared away by later data",
                    "a holder finds what a former one has left",
                    0,
                    () -> new Rules() {
                        @Override
                        LockStore tableOf(InMemoryLockStore table) {
                            return new Changed(table, (edit, item) -> edit) {
                                @Override
                                LockItem changed(LockItem before, Edit edit, LockItem after) {
                                    return before.data().equals(LockData.EMPTY)
                                            ? after
                                            : new LockItem(after.tail(), after.queue(), after.permits(), before.data());
                                }
                            };
                        }
                    }));

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

    private static Event seen(Event event, UnaryOperator<LockItem> change) {
        return event instanceof Event.Read read
                ? new Event.Read(read.sent(), change.apply(read.item()))
                : event instanceof Event.Edited edited
                        ? new Event.Edited(edited.sent(), change.apply(edited.item()), edited.isApplied())
                        : event;
    }

    private static Rules changing(UnaryOperator<Event> change) {
        return new Rules() {
            @Override
            Event event(Event event, Now now) {
                return change.apply(event);
            }
        };
    }

    private static Rules unheard(Class<? extends Event> some) {
        return changing(event -> some.isInstance(event) ? new Event.Woke() : event);
    }

    /** An own entry of which something else is known. */
    private static class Known extends OwnEntry {

        Known(OwnEntry entry) {
            super(entry.entry(), entry.sentNanos(), entry.lastArrival, entry.hasSpare());
        }
    }

    private static Rules withOwn(UnaryOperator<OwnEntry> known) {
        return new Rules() {
            @Override
            NextWrite.Decision decision(NextWrite.Decision decision, NextWrite.View view) {
                SentEdit sent = decision.edit();
                return sent == null
                        ? decision
                        : new NextWrite.Decision(
                                new SentEdit(
                                        sent.edit(),
                                        sent.appended().stream().map(known).toList(),
                                        sent.reissued(),
                                        sent.nanos()),
                                decision.askAgain());
            }
        };
    }

    private interface Rewriting<K> {

        Edit edit(Edit edit, K known);
    }

    private static Rules decided(Rewriting<NextWrite.View> rewriting) {
        return new Rules() {
            @Override
            NextWrite.Decision decision(NextWrite.Decision decision, NextWrite.View view) {
                SentEdit sent = decision.edit();
                return sent == null
                        ? decision
                        : new NextWrite.Decision(
                                new SentEdit(
                                        rewriting.edit(sent.edit(), view),
                                        sent.appended(),
                                        sent.reissued(),
                                        sent.nanos()),
                                decision.askAgain());
            }
        };
    }

    private static Rules applying(Rewriting<LockItem> rewriting) {
        return new Rules() {
            @Override
            LockStore tableOf(InMemoryLockStore table) {
                return new Changed(table, rewriting);
            }
        };
    }

    /** A table that does something else with edits. */
    private static class Changed extends TraceRecorder.Way {

        private final InMemoryLockStore table;
        private final Rewriting<LockItem> rewriting;

        Changed(InMemoryLockStore table, Rewriting<LockItem> rewriting) {
            super(table);
            this.table = table;
            this.rewriting = rewriting;
        }

        LockItem changed(LockItem before, Edit edit, LockItem after) {
            return after;
        }

        @Override
        public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, Instant now) {
            LockItem before = table.lock(key);
            Answer<LockItem> answer = rewriting.edit(edit, before).on(before);
            if (!answer.isApplied()) {
                return CompletableFuture.completedFuture(answer);
            }
            LockItem item = changed(before, edit, answer.item());
            Edit whole = new Edit(
                    new TreeMap<>(), null, item.queue(), Integer.MAX_VALUE, 0, false, item.data(), item.permits(), 0);
            table.removeLock(key);
            table.edit(
                    key,
                    new Edit(
                            whole.removed(),
                            null,
                            item.queue(),
                            whole.bound(),
                            0,
                            false,
                            item.data(),
                            item.permits(),
                            item.tail() - whole.tickets()),
                    now);
            return CompletableFuture.completedFuture(new Answer.Applied<>(table.lock(key)));
        }
    }
}
