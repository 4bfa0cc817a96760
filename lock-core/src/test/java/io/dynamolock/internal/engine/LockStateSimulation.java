package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.Kind;
import io.dynamolock.engine.LossReason;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.PollingInterval;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.protocol.Answer;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One lock, several processes, and a network that a seed decides on: calls take their time, get lost, land late and read old items;
 * sessions are lost; processes die. After each grant the promises of the lock are checked, and at the end everybody must have been
 * served or told, and nothing be left in the queue.
 */
final class LockStateSimulation {

    /** What may happen in a run. */
    record Story(
            int processes,
            int callers,
            boolean isLossy,
            boolean losesSessions,
            boolean isMixed,
            boolean writesData,
            boolean isForced,
            boolean isCleanRoom) {}

    private static final LockKey KEY = new LockKey("key", "default");
    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(1);
    private static final long MILLI = 1_000_000;
    private static final int PERMITS = 3;

    final long seed;
    final Story story;
    final SplittableRandom random;
    final InMemoryLockStore store = new InMemoryLockStore();
    final Deque<LockItem> history = new ArrayDeque<>();
    final PriorityQueue<Step> agenda = new PriorityQueue<>();
    final List<Process> processes = new ArrayList<>();
    final Set<SessionId> dead = new HashSet<>();
    final List<String> log = new ArrayList<>();
    final Map<Hold, Caller> valid = new LinkedHashMap<>();
    final List<Entry> formerFences = new ArrayList<>();
    long now;
    long steps;
    long writes;
    long reads;
    long greatestTicket;
    int grants;
    boolean isCalm;
    String expected = "";
    final Set<String> maybe = new HashSet<>();
    int open;

    record Step(long at, long order, Runnable run) implements Comparable<Step> {
        @Override
        public int compareTo(Step other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    LockStateSimulation(long seed, Story story) {
        this.seed = seed;
        this.story = story;
        this.random = new SplittableRandom(seed);
        history.add(LockItem.ABSENT);
    }

    void run() {
        for (int i = 0; i < story.processes(); i++) {
            processes.add(new Process(i));
        }
        for (Process process : processes) {
            for (int i = 0; i < story.callers(); i++) {
                open++;
                in(random.nextLong(200) * MILLI, () -> process.arrive(0));
            }
        }
        long calmFrom = 20_000 * MILLI;
        in(calmFrom, () -> isCalm = true);
        while (!agenda.isEmpty() && now < 120_000 * MILLI) {
            Step next = agenda.remove();
            now = next.at();
            next.run().run();
            if (isCalm && open == 0 && processes.stream().allMatch(process -> process.state.isIdle())) {
                break;
            }
        }
        check(open == 0, open + " callers were never served");
        for (Process process : processes) {
            check(process.state.isIdle(), process + " is not idle: " + process.state);
        }
        check(
                store.lock(KEY).queue().stream()
                        .noneMatch(entry ->
                                processes.stream().anyMatch(process -> process.session.equals(entry.session()))),
                "left in the queue: " + store.lock(KEY));
    }

    void in(long nanos, Runnable run) {
        agenda.add(new Step(now + nanos, steps++, run));
    }

    void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("seed " + seed + " of " + story + " after " + now / MILLI + " ms: " + what + "\n"
                    + String.join("\n", log.subList(Math.max(0, log.size() - 80), log.size())));
        }
    }

    void tell(String what) {
        if (log.size() > 2000) {
            log.subList(0, 1000).clear();
        }
        log.add(now / 1000 / 1000.0 + " " + what);
    }

    boolean happens(double probability) {
        return !isCalm && random.nextDouble() < probability;
    }

    /** One caller, which comes again a few times. */
    final class Caller {
        final Process process;
        final int round;
        Waiter waiter;
        Hold hold;
        boolean isReader;
        boolean isFenced;
        boolean isUncertain;

        Caller(Process process, int round) {
            this.process = process;
            this.round = round;
        }

        AcquireSpec spec() {
            Kind kind = Kind.EXCLUSIVE;
            int permits = 0;
            if (story.isMixed()) {
                int dice = random.nextInt(10);
                kind = seed % 3 == 0 ? Kind.PERMIT : dice < 4 ? Kind.READ : dice < 6 ? Kind.WRITE : Kind.EXCLUSIVE;
                permits = kind == Kind.PERMIT ? PERMITS : 0;
            }
            int dice = random.nextInt(10);
            Duration wait = dice == 0
                    ? Duration.ZERO
                    : dice < 3
                            ? Duration.ofMillis(random.nextInt(1, 300))
                            : dice < 5 ? Duration.ofSeconds(3) : AcquireSpec.FOREVER;
            if (story.isCleanRoom()) {
                wait = AcquireSpec.FOREVER;
            }
            return new AcquireSpec(KEY, "sim", wait, null, null, kind, permits, false);
        }

        @Override
        public String toString() {
            return process + "/" + (waiter == null ? "?" : waiter.arrival() + " " + waiter.mode());
        }
    }

    final class Process implements Sessions {
        final int index;
        LockState state = newState();
        SessionId session;
        long numbers;
        long validUntil = Long.MAX_VALUE;
        long arrivals;
        long greatestTail;
        int generation;
        final Map<Waiter, Caller> callers = new HashMap<>();
        long wakeAt = Long.MAX_VALUE;

        Process(int index) {
            this.index = index;
            in(1, this::begin);
        }

        LockState newState() {
            return new LockState(
                    KEY,
                    new LockSettings(
                            new PollingInterval(Duration.ofMillis(10), Duration.ofSeconds(1)),
                            new FailureDetection(LEASE, Duration.ZERO, Duration.ofMinutes(5)),
                            story.isCleanRoom() || random.nextBoolean() ? 200 : 4,
                            CALL_TIMEOUT,
                            Duration.ofDays(1)),
                    this,
                    () -> Math.max(1_000_000 + now / 1000, greatestTail + 1));
        }

        void begin() {
            session = SessionId.of(random.nextLong());
            numbers = 0;
            validUntil = Long.MAX_VALUE;
            tell(this + " begins");
            on(new Event.SessionBegan(session, () -> ++numbers));
            if (story.losesSessions()) {
                in(random.nextLong(3_000, 15_000) * MILLI, () -> {
                    if (!isCalm) {
                        loseSession();
                    }
                });
            }
        }

        void loseSession() {
            SessionId lost = session;
            validUntil = now;
            tell(this + " is not valid any more");
            long late = random.nextBoolean() ? 0 : random.nextLong(300) * MILLI;
            in(late, () -> {
                for (Hold hold : List.copyOf(valid.keySet())) {
                    if (valid.get(hold).process == this) {
                        valid.get(hold).isUncertain = true;
                        giveUp(hold, true);
                    }
                }
                on(new Event.SessionOver(LossReason.SESSION_LOST));
                in(random.nextLong(1, 500) * MILLI, this::begin);
            });
            in(random.nextLong(1, 5000) * MILLI, () -> {
                dead.add(lost);
                tell(this + "'s session " + lost + " is expired");
                processes.forEach(process -> process.on(new Event.PeersSeen()));
            });
        }

        @Override
        public boolean isDead(SessionId id) {
            return dead.contains(id);
        }

        @Override
        public boolean isQuiet(SessionId id) {
            return false;
        }

        @Override
        public boolean isAlive(SessionId id) {
            return !dead.contains(id);
        }

        void arrive(int round) {
            Caller caller = new Caller(this, round);
            caller.waiter = new Waiter(caller.spec(), ++arrivals, now);
            callers.put(caller.waiter, caller);
            tell(caller + " comes, waits " + caller.waiter.spec().waitLimit());
            Duration wait = caller.waiter.spec().waitLimit();
            if (wait.compareTo(Duration.ofDays(1)) < 0) {
                in(wait.toNanos(), () -> on(new Event.WaitOver(caller.waiter)));
            }
            on(new Event.Arrived(caller.waiter));
            if (happens(0.05)) {
                in(random.nextLong(100) * MILLI, () -> on(new Event.Left(caller.waiter)));
            }
        }

        void again(Caller caller) {
            if (caller.round < 8 && !isCalm) {
                long rest = random.nextBoolean() ? 0 : random.nextLong(50) * MILLI;
                in(rest, () -> arrive(caller.round + 1));
            } else {
                open--;
            }
        }

        Now moment() {
            return new Now(now, Instant.EPOCH.plusNanos(now), session != null && now < validUntil);
        }

        void on(Event event) {
            List<Effect> effects = state.on(event, moment());
            effects.forEach(this::run);
            if (state.wakeAt() != Long.MAX_VALUE && (wakeAt <= now || state.wakeAt() < wakeAt)) {
                wakeAt = state.wakeAt();
                long at = wakeAt;
                in(Math.max(0, at - now), () -> {
                    if (wakeAt == at) {
                        wakeAt = Long.MAX_VALUE;
                        on(new Event.Woke());
                    }
                });
            }
        }

        void run(Effect effect) {
            if (effect instanceof Effect.SendEdit send) {
                send(send.edit());
            } else if (effect instanceof Effect.SendRead send) {
                send(send.read());
            } else if (effect instanceof Effect.Granted granted) {
                granted(callers.get(granted.waiter()), granted.hold());
            } else if (effect instanceof Effect.Ended ended) {
                tell(callers.get(ended.waiter()) + " ends: " + ended.outcome());
                again(callers.get(ended.waiter()));
            } else if (effect instanceof Effect.Lost lost) {
                tell("lost " + lost.hold() + " " + lost.reason());
                check(story.losesSessions() || story.isForced(), "lost " + lost.hold() + ": " + lost.reason());
                Caller caller = valid.get(lost.hold());
                if (caller != null) {
                    caller.isUncertain = true;
                    giveUp(lost.hold(), true);
                }
            } else if (effect instanceof Effect.Notify notify) {
                for (Process process : processes) {
                    if (notify.session().equals(process.session)) {
                        in(random.nextLong(1, 500) * MILLI, () -> {
                            if (notify.session().equals(process.session)) {
                                process.on(new Event.Notified(notify.notice()));
                            }
                        });
                    }
                }
            } else if (effect instanceof Effect.NowReader reader) {
                Caller caller = valid.get(reader.hold());
                if (caller != null) {
                    caller.isReader = true;
                }
            }
        }

        void granted(Caller caller, Hold hold) {
            caller.hold = hold;
            caller.isReader = hold.entry().mode() == Mode.SHARED;
            grants++;
            tell(caller + " is granted " + hold + " of " + store.lock(KEY));
            for (Map.Entry<Hold, Caller> other : valid.entrySet()) {
                if (other.getValue().process.isValid()) {
                    Mode mode = caller.waiter.mode();
                    boolean areReaders = mode == Mode.SHARED && other.getValue().isReader;
                    boolean arePermits =
                            mode == Mode.PERMIT && other.getValue().waiter.mode() == Mode.PERMIT;
                    check(areReaders || arePermits, caller + " holds beside " + other.getValue());
                }
            }
            if (caller.waiter.mode() == Mode.PERMIT) {
                long others = valid.values().stream()
                        .filter(other -> other.process.isValid())
                        .count();
                check(others < PERMITS, "a permit too many for " + caller);
            }
            if (caller.waiter.mode() == Mode.EXCLUSIVE) {
                check(
                        hold.ticket() > greatestTicket,
                        caller + " has the ticket " + hold.ticket() + " after " + greatestTicket);
                for (Entry fence : formerFences) {
                    check(!store.lock(KEY).queue().contains(fence), "the fence " + fence.text() + " is good again");
                }
                if (story.writesData()) {
                    String data = hold.data().text();
                    check(
                            data.equals(expected) || maybe.contains(data),
                            caller + " finds " + data + ", not " + expected + " or " + maybe);
                    expected = data;
                    maybe.clear();
                }
            }
            greatestTicket = Math.max(greatestTicket, hold.ticket());
            valid.put(hold, caller);
            if (caller.waiter.mode() == Mode.EXCLUSIVE && random.nextInt(4) == 0) {
                caller.isFenced = true;
                on(new Event.FenceGiven(hold));
            }
            if (story.writesData() && caller.waiter.mode() == Mode.EXCLUSIVE && random.nextInt(5) == 0) {
                String put = "p" + grants;
                maybe.add(put);
                on(new Event.DataPut(hold, LockData.of(put)));
            }
            if (caller.waiter.spec().kind() == Kind.WRITE && random.nextBoolean()) {
                in(random.nextLong(10) * MILLI, () -> {
                    if (valid.containsKey(hold)) {
                        caller.isReader = true;
                        on(new Event.Downgraded(hold));
                    }
                });
            }
            if (story.isForced() && happens(0.1)) {
                in(random.nextLong(10) * MILLI, () -> {
                    if (valid.containsKey(hold)) {
                        caller.isUncertain = true;
                        giveUp(hold, true);
                        on(new Event.Forced(hold, LossReason.MAX_HOLD));
                    }
                });
            }
            long section = story.isCleanRoom()
                    ? 0
                    : random.nextInt(3) == 0 ? random.nextLong(60) * MILLI : random.nextLong(3) * MILLI;
            in(section, () -> {
                if (valid.containsKey(hold)) {
                    String left = story.writesData() && !caller.isReader && random.nextBoolean()
                            ? "l" + grants + "x" + steps
                            : null;
                    giveUp(hold, false);
                    if (left != null && caller.waiter.mode() == Mode.EXCLUSIVE) {
                        if (isValid()) {
                            maybe.add(left);
                        }
                        on(new Event.Released(hold, LockData.of(left)));
                    } else {
                        on(new Event.Released(hold, null));
                    }
                }
            });
        }

        boolean isValid() {
            return now < validUntil;
        }

        void giveUp(Hold hold, boolean isForced) {
            Caller caller = valid.remove(hold);
            tell(caller + (isForced ? " is out" : " releases"));
            if (caller.isFenced) {
                formerFences.add(hold.entry().entry());
            }
            again(caller);
        }

        void send(SentEdit sent) {
            writes++;
            SessionId by = session;
            tell(this + " sends " + show(sent));
            long there = delay();
            boolean isLost = story.isLossy() && happens(0.05);
            boolean isAnswerLost = story.isLossy() && happens(0.05);
            boolean isLate = story.isLossy() && happens(0.03);
            long landing = isLate ? random.nextLong(CALL_TIMEOUT.toNanos() * 3 / 2) : there;
            boolean isAnswered = !isLost && !isAnswerLost && landing < CALL_TIMEOUT.toNanos();
            if (!isLost) {
                in(landing, () -> {
                    Answer<LockItem> answer = store.edit(KEY, sent.edit(), Instant.EPOCH)
                            .toCompletableFuture()
                            .join();
                    tell("lands of " + this + ": " + answer.isApplied() + " " + show(sent));
                    if (answer.isApplied()) {
                        history.addFirst(answer.item());
                        while (history.size() > 6) {
                            history.removeLast();
                        }
                    }
                    if (isAnswered) {
                        in(delay(), () -> {
                            greatestTail = Math.max(greatestTail, answer.item().tail());
                            on(new Event.Edited(sent, answer.item(), answer.isApplied()));
                        });
                    }
                });
            }
            if (!isAnswered) {
                in(
                        CALL_TIMEOUT.toNanos(),
                        () -> on(new Event.EditFailed(
                                sent, new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "lost", null))));
            }
        }

        void send(SentRead sent) {
            reads++;
            boolean isLost = story.isLossy() && happens(0.05);
            if (isLost) {
                in(
                        CALL_TIMEOUT.toNanos(),
                        () -> on(new Event.ReadFailed(
                                sent, new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "lost", null))));
                return;
            }
            in(delay(), () -> {
                int age = sent.consistent() || !story.isLossy() ? 0 : Math.max(0, random.nextInt(8) - 4);
                LockItem item = store.lock(KEY);
                int i = 0;
                for (LockItem old : history) {
                    if (i++ <= age && age > 0) {
                        item = old;
                    }
                }
                LockItem shown = item;
                in(delay(), () -> {
                    greatestTail = Math.max(greatestTail, shown.tail());
                    on(new Event.Read(sent, shown));
                });
            });
        }

        long delay() {
            return story.isCleanRoom()
                    ? 3 * MILLI + random.nextLong(500_000)
                    : story.isLossy() && happens(0.02)
                            ? random.nextLong(400) * MILLI
                            : (1 + random.nextLong(5)) * MILLI;
        }

        @Override
        public String toString() {
            return "P" + index;
        }
    }

    static String show(SentEdit sent) {
        return "-" + sent.edit().removed().values().stream().map(Entry::text).toList()
                + (sent.edit().reissue() == null
                        ? ""
                        : " " + sent.edit().reissue().from().text() + "->"
                                + sent.edit().reissue().to().text())
                + " +" + sent.edit().appended().stream().map(Entry::text).toList()
                + (sent.onlyIfFree() ? " if free" : "")
                + (sent.edit().data() == null
                        ? ""
                        : " data " + sent.edit().data().text());
    }
}
