package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.EngineSimulation.Mishap;
import io.dynamolock.internal.engine.EngineSimulation.Story;
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
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.InterceptedLockStore;
import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what happens to one lock in a simulation, as {@code Trace.tla} reads it: what each process hears of the
 * lock, what it then decides, and what edits do when they land. Times are in milliseconds, and tickets are counted from
 * {@link #FIRST_TICKET}, since the model checker knows only small numbers.
 */
public final class TraceRecorder {

    private static final int LOCKS = 2;

    /** Smaller than any ticket, also than those of processes whose clock is wrong. */
    private static final long FIRST_TICKET = (VirtualTime.ORIGIN.getEpochSecond() - 300) * 1_000_000;

    private final LockKey key;
    private final List<String> lines = new ArrayList<>();

    /** What each session is called in the trace: the number of its process, and its own number in that process. */
    private final Map<SessionId, String> sessions = new HashMap<>();

    /** The line that says when each edit was sent. */
    private final IdentityHashMap<Object, Integer> sent = new IdentityHashMap<>();

    /** What each caller is called in the trace. */
    private final IdentityHashMap<WaitingCaller, Integer> callers = new IdentityHashMap<>();

    /** When each edit of a session was sent, in milliseconds by the monotonic clock. */
    private final IdentityHashMap<SessionEdit, Long> sentAt = new IdentityHashMap<>();

    private @Nullable InMemoryLockStore table;

    /** The lock's item, as the trace so far tells it. */
    private LockItem last = LockItem.ABSENT;

    private int processes;

    private TraceRecorder(LockKey key) {
        this.key = key;
    }

    /**
     * What happens with this seed: a record of TLA+ in each line.
     *
     * @throws AssertionError if a promise is broken
     */
    public static List<String> trace(long seed) {
        TraceRecorder recorder = recorder(seed);
        String broken = broken(seed, new Rules().recordedBy(recorder));
        if (broken != null) {
            throw new AssertionError(broken);
        }
        return recorder.lines;
    }

    /** What happens with this seed and one of the deliberate bugs, up to where it breaks a promise. */
    public static List<String> trace(long seed, String bug) {
        TraceRecorder recorder = recorder(seed);
        broken(seed, DeliberateBugs.named(bug).recordedBy(recorder));
        return recorder.lines;
    }

    private static TraceRecorder recorder(long seed) {
        return new TraceRecorder(new LockKey("lock-" + seed / 2 % LOCKS, "default"));
    }

    /** Which promise these rules break with this seed; {@code null} if none. */
    static @Nullable String broken(long seed, Rules rules) {
        try {
            new EngineSimulation(seed, story(seed), rules).run();
            return null;
        } catch (AssertionError broken) {
            return broken.getMessage();
        }
    }

    /** The story of a seed: which mishaps happen, and whether there are readers and permits. */
    private static Story story(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean isMixed = random.nextInt(4) > 0;
        double probability = random.nextInt(3) * 0.3;
        Mishap[] mishaps = Stream.of(Mishap.values())
                // The model of the traces has one time for all.
                .filter(mishap -> mishap != Mishap.SLEW && mishap != Mishap.MIXED_SETTINGS)
                .filter(mishap -> random.nextDouble() < probability)
                .toArray(Mishap[]::new);
        return new Story(isMixed, mishaps);
    }

    /**
     * Writes a line.
     *
     * @param names the names of the values, with a space between them
     * @return the number of the line
     */
    private int write(String event, String names, Object... values) {
        noteRemoval();
        StringBuilder line = new StringBuilder("[event |-> \"").append(event).append('"');
        String[] fields = names.split(" ");
        for (int i = 0; i < values.length; i++) {
            line.append(", ").append(fields[i]).append(" |-> ").append(values[i]);
        }
        lines.add(line.append(']').toString());
        return lines.size();
    }

    /** Writes a line if somebody has removed the item. Nobody tells the recorder: it looks before each line. */
    private void noteRemoval() {
        if (table != null && !table.lock(key).equals(last)) {
            last = table.lock(key);
            write("Remove", "item", item(last));
        }
    }

    // What things are called

    private static String truth(boolean value) {
        return value ? "TRUE" : "FALSE";
    }

    private static <T> String sequence(Collection<T> values, Function<T, String> text) {
        return values.stream().map(text).collect(Collectors.joining(",", "<<", ">>"));
    }

    private static long millis(Instant at) {
        return at.toEpochMilli() - VirtualTime.ORIGIN.toEpochMilli();
    }

    private static long ticket(long ticket) {
        return ticket == 0 ? 0 : ticket - FIRST_TICKET;
    }

    private String session(SessionId id) {
        return Objects.requireNonNull(sessions.get(id));
    }

    private static String mode(Mode mode) {
        return switch (mode) {
            case EXCLUSIVE -> "W";
            case SHARED -> "R";
            case PERMIT -> "P";
        };
    }

    private String entry(Entry entry) {
        if (entry instanceof Entry.OfSession own) {
            return "E(" + session(own.session()) + "," + own.number() + ",\"" + mode(own.mode()) + "\"," + own.slots()
                    + ")";
        }
        return "K(\"" + mode(entry.mode()) + "\"," + millis(((Entry.Kept) entry).until()) + ")";
    }

    private static String data(@Nullable LockData data) {
        return data == null || data.equals(LockData.EMPTY) ? "None" : "<<\"" + data.text() + "\">>";
    }

    private String item(LockItem item) {
        return item.exists()
                ? "I(" + ticket(item.tail()) + "," + sequence(item.queue(), this::entry) + "," + item.permits() + ","
                        + data(item.data()) + ")"
                : "Absent";
    }

    private String edit(Edit edit) {
        String out = edit.removed().entrySet().stream()
                .map(removal -> (removal.getKey() + 1) + " :> " + entry(removal.getValue()))
                .collect(Collectors.joining(" @@ "));
        Edit.Reissue put = edit.reissue();
        return "[NoEdit EXCEPT !.out = " + (out.isEmpty() ? "None" : out)
                + (put == null
                        ? ""
                        : ", !.put = " + (put.index() + 1) + " :> [from |-> " + entry(put.from()) + ", to |-> "
                                + entry(put.to()) + "]")
                + ", !.append = " + sequence(edit.appended(), this::entry)
                + ", !.bound = " + edit.bound()
                + ", !.exists = " + truth(edit.mustExist())
                + ", !.base = " + ticket(edit.base())
                + ", !.permits = " + edit.permits()
                + ", !.data = " + data(edit.data()) + "]";
    }

    /**
     * The number of a caller. Its last digit says what the caller wants: 0 the lock for itself alone, 1 to read, 2 a
     * permit, 3 the lock for itself alone and perhaps to go on as a reader. It is greater by 4 if the caller does not
     * wait.
     */
    private int caller(WaitingCaller waiter) {
        Integer known = callers.get(waiter);
        if (known == null) {
            int wants = switch (waiter.spec().kind()) {
                case EXCLUSIVE -> 0;
                case READ -> 1;
                case PERMIT -> 2;
                case WRITE -> 3;
            };
            known = 10 * (callers.size() + 1) + wants + (waiter.isTry() ? 4 : 0);
            callers.put(waiter, known);
        }
        return known;
    }

    // The table

    LockStore table(InMemoryLockStore stored, LockStore rules) {
        table = stored;
        return new InterceptedLockStore(rules) {
            @Override
            public CompletionStage<Answer<LockItem>> edit(LockKey requested, Edit edit, @Nullable Instant now) {
                if (!requested.equals(key)) {
                    return super.edit(requested, edit, now);
                }
                noteRemoval();
                Answer<LockItem> answer =
                        super.edit(requested, edit, now).toCompletableFuture().join();
                last = stored.lock(key);
                if (sent.containsKey(edit)) {
                    write("Land", "sent ok item", sent.get(edit), truth(answer.isApplied()), item(answer.item()));
                } else {
                    write(
                            "Operate",
                            "edit permits ok item",
                            TraceRecorder.this.edit(edit),
                            edit.newPermits(),
                            truth(answer.isApplied()),
                            item(answer.item()));
                }
                return CompletableFuture.completedFuture(answer);
            }

            @Override
            public CompletionStage<Answer<Optional<SessionItem>>> edit(
                    SessionId id, SessionEdit edit, @Nullable Instant now) {
                Answer<Optional<SessionItem>> answer =
                        super.edit(id, edit, now).toCompletableFuture().join();
                long beat = edit instanceof SessionEdit.Heartbeat heartbeat
                        ? heartbeat.number()
                        : edit instanceof SessionEdit.Expire expire ? expire.heartbeat() : 0;
                if (!(edit instanceof SessionEdit.Notify)) {
                    write(
                            edit.getClass().getSimpleName(),
                            "id beat ok since",
                            "<<" + session(id) + ">>",
                            beat,
                            truth(answer.isApplied()),
                            sentAt.getOrDefault(edit, 0L));
                }
                return CompletableFuture.completedFuture(answer);
            }
        };
    }

    // The processes

    Process process(EngineSettings settings, TimeSource time) {
        return new Process(settings, time);
    }

    /** An engine, from when it is made. */
    final class Process {

        private final int index = ++processes;
        private final TimeSource time;

        /** The lines that say when the process asked for the lock, by the nanoseconds of the monotonic clock. */
        private final NavigableMap<Long, Integer> asked = new TreeMap<>(Map.of(Long.MIN_VALUE, 0));

        /** How many sessions the engine has begun. */
        private int begun;

        /** The latest time of the monotonic clock, in nanoseconds, at which a line of this process was written. */
        private long latestMoment = Long.MIN_VALUE;

        /** The first line of this process that was written at {@link #latestMoment}. */
        private int firstLineOfMoment;

        Process(EngineSettings settings, TimeSource time) {
            this.time = time;
            write("Start", "p lease most", index, settings.lease().toMillis(), settings.maxQueue());
        }

        /** In milliseconds by the monotonic clock: the wall clock may be wrong. */
        private long now() {
            return Duration.ofNanos(time.nanos()).toMillis();
        }

        /** The first line that this process wrote at the present moment; the next line if it has written none. */
        private int firstLineNow() {
            if (latestMoment != time.nanos()) {
                latestMoment = time.nanos();
                firstLineOfMoment = lines.size() + 1;
            }
            return firstLineOfMoment;
        }

        private void asks() {
            firstLineNow();
            asked.put(time.nanos(), write("Ask", "p", index));
        }

        /** Writes that the process asks for the lock, unless its engine has said so at the same moment. */
        private void sends() {
            if (!asked.containsKey(time.nanos())) {
                asks();
            }
        }

        LockStore way(LockStore way) {
            return new InterceptedLockStore(way) {
                @Override
                public CompletionStage<Found<LockItem>> read(LockKey requested, boolean consistent) {
                    if (requested.equals(key)) {
                        sends();
                    }
                    return super.read(requested, consistent);
                }

                @Override
                public CompletionStage<Answer<LockItem>> edit(LockKey requested, Edit edit, @Nullable Instant now) {
                    if (requested.equals(key) && !sent.containsKey(edit)) {
                        sends();
                    }
                    return super.edit(requested, edit, now);
                }

                @Override
                public CompletionStage<Answer<Optional<SessionItem>>> edit(
                        SessionId id, SessionEdit edit, @Nullable Instant now) {
                    if (edit instanceof SessionEdit.Begin) {
                        sessions.put(id, index + "," + ++begun);
                    }
                    sentAt.put(edit, now());
                    return super.edit(id, edit, now);
                }
            };
        }

        State state(LockKey lock) {
            return new State(this, lock.equals(key));
        }
    }

    /** What a process knows of a lock. Only what concerns the recorded lock is written down. */
    final class State {

        private final Process process;
        private final boolean isRecorded;

        /** The holds of the lock that are not released. */
        private final Set<Hold> granted = new LinkedHashSet<>();

        State(Process process, boolean isRecorded) {
            this.process = process;
            this.isRecorded = isRecorded;
            line("Know", "");
        }

        private int line(String event, String names, Object... values) {
            List<Object> processAndValues = new ArrayList<>(List.of(process.index));
            processAndValues.addAll(List.of(values));
            process.firstLineNow();
            return isRecorded ? write(event, "p " + names, processAndValues.toArray()) : 0;
        }

        /** The line that says when the process asked for a state of the lock that it hears of now. */
        private int asked(Moment sentAt) {
            return process.asked.floorEntry(sentAt.nanos()).getValue();
        }

        private long ticketOf(Hold hold) {
            return ticket(hold.ticket());
        }

        void hears(Event event, Now now, LockState state) {
            if (!isRecorded) {
                return;
            }
            if (event instanceof Event.Arrived arrived) {
                line(
                        "Arrive",
                        "c permits",
                        caller(arrived.waiter()),
                        arrived.waiter().spec().permits());
            } else if (event instanceof Event.Released released) {
                granted.remove(released.hold());
                line(
                        "LetGo",
                        "no fence data",
                        ticketOf(released.hold()),
                        truth(released.isFenceGiven()),
                        data(released.dataForNext()));
            } else if (event instanceof Event.Edited edited) {
                Object edit = edited.call().edit();
                line(
                        "Hear",
                        "since sent ok item",
                        process.firstLineNow(),
                        sent.get(edit),
                        truth(edited.isApplied()),
                        item(edited.item()));
            } else if (event instanceof Event.EditFailed failed) {
                Object edit = failed.call().edit();
                line("Fail", "sent may", sent.get(edit), truth(failed.failure().mayHaveTakenEffect()));
            } else if (event instanceof Event.Read read) {
                line(
                        "Read",
                        "since hard sent item",
                        process.firstLineNow(),
                        truth(read.call().isConsistent()),
                        asked(read.call().sentAt()),
                        item(read.item()));
            } else if (event instanceof Event.Shown shown) {
                line(
                        "Read",
                        "since hard sent item",
                        process.firstLineNow(),
                        truth(true),
                        asked(shown.sentAt()),
                        item(shown.item()));
            } else if (event instanceof Event.SessionBegan began) {
                line("Session", "id", "<<" + session(began.id()) + ">>");
            } else if (event instanceof Event.SessionOver) {
                line("NoSession", "");
            } else if (event instanceof Event.DowngradeWanted downgraded) {
                line("Turn", "no", ticketOf(downgraded.hold()));
            } else if (event instanceof Event.Notified notified
                    && notified.notice().wish() == Notice.Wish.EVICT) {
                // A holder that released the lock before its shortest hold was over is not evicted: the release takes
                // effect now.
                Optional<Hold> kept = state.meantBy(notified.notice().number()).stream()
                        .filter(hold -> hold.earlyRelease() != null)
                        .findFirst();
                kept.ifPresentOrElse(
                        hold -> hears(released(hold), now, state),
                        () -> line("GiveUp", "n", notified.notice().number()));
            } else if (event instanceof Event.Closing closing) {
                // The event tells of all locks, and a hold of another lock may have the same ticket.
                List<Hold> kept =
                        granted.stream().filter(closing.kept()::containsKey).toList();
                line(
                        "Close",
                        "kept left",
                        sequence(kept, hold -> "" + ticketOf(hold)),
                        sequence(
                                kept.stream().filter(hold -> left(hold) != null).toList(),
                                hold -> "<<" + ticketOf(hold) + "," + data(left(hold)) + ">>"));
            }
        }

        private static Event.Released released(Hold hold) {
            Hold.Release early = Objects.requireNonNull(hold.earlyRelease());
            return new Event.Released(hold, early.dataForNext(), early.isFenceGiven(), ReleaseTerms.AWAITED);
        }

        private static @Nullable LockData left(Hold hold) {
            Hold.Release early = hold.earlyRelease();
            return early == null ? null : early.dataForNext();
        }

        /** What the store's clock has told the process, perhaps wrongly; 0 if it has told nothing. */
        private static long told(LockState state) {
            Instant told = state.known.storeTime();
            return told == null ? 0 : Math.max(0, millis(told));
        }

        void does(List<Effect> effects, LockState state) {
            for (Effect effect : isRecorded ? effects : List.<Effect>of()) {
                if (effect instanceof Effect.Granted granted) {
                    Hold hold = granted.hold();
                    this.granted.add(hold);
                    line(
                            "Grant",
                            "c n no now",
                            caller(granted.waiter()),
                            hold.entry().entry().number(),
                            ticketOf(hold),
                            process.now());
                } else if (effect instanceof Effect.Ended ended) {
                    line("End", "c", caller(ended.waiter()));
                } else if (effect instanceof Effect.Lost lost) {
                    line("Lose", "no why", ticketOf(lost.hold()), "\"" + lost.reason() + "\"");
                } else if (effect instanceof Effect.SendEdit send) {
                    Edit edit = send.call().edit();
                    sent.put(edit, line("Send", "now told edit", process.now(), told(state), edit(edit)));
                } else if (effect instanceof Effect.SendRead) {
                    process.asks();
                }
            }
        }
    }
}
