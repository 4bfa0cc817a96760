package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Several processes with engines of their own, a few locks, and a network that a seed decides on: calls take their time, get lost, land late
 * and read old items; processes freeze, die and come back; the store is silent for a while. Each
 * grant is held against the promises of the lock, and at the end everybody must have been served or told, and nothing be left.
 *
 * <p>The same seed tells the same story. Time is virtual, and everything happens on one thread.
 */
final class EngineSimulation {

    /**
     * What may happen.
     *
     * @param isMixed whether there are readers, writers that go on as readers, and permits
     * @param isLossy whether calls get lost, land late, and read old items
     * @param hasCrashes whether processes freeze and die
     * @param hasOutages whether the store is silent for a while
     */
    record Story(
            int processes, int callers, boolean isMixed, boolean isLossy, boolean hasCrashes, boolean hasOutages) {}

    /** What a simulation is made of where that is something else than usual: engines, and the table in which calls land. */
    interface Parts extends PausableEngine.Maker {

        Parts USUAL = new Parts() {};

        @Override
        default Engine engine(
                EngineSettings settings,
                LockStore store,
                EventLoop loop,
                TimeSource time,
                RandomGenerator random,
                ClockCheck clocks,
                EngineListener listener) {
            return new Engine(settings, store, loop, time, random, clocks, listener);
        }

        default LockStore table(InMemoryLockStore table) {
            return table;
        }
    }

    private static final long MILLI = 1_000_000;
    private static final int PERMITS = 3;
    private static final int ROUNDS = 8;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration CALM_FROM = Duration.ofSeconds(30);
    private static final Duration END = Duration.ofMinutes(3);

    private final long seed;
    private final Story story;
    private final SplittableRandom random;
    private final Parts parts;
    private final InMemoryLockStore table = new InMemoryLockStore();
    private final LockStore landing;
    private final Map<LockKey, Deque<LockItem>> histories = new HashMap<>();
    private final VirtualTime time = new VirtualTime();
    private final List<Process> processes = new ArrayList<>();
    private final Map<LockKey, Referee> referees = new HashMap<>();
    private final List<LockKey> keys = new ArrayList<>();
    private final Deque<String> log = new ArrayDeque<>();
    private boolean isCalm;
    private boolean isSilent;
    private int open;
    private int grants;
    private @Nullable AssertionError broken;

    EngineSimulation(long seed, Story story) {
        this(seed, story, Parts.USUAL);
    }

    EngineSimulation(long seed, Story story, Parts parts) {
        this.seed = seed;
        this.story = story;
        this.parts = parts;
        this.landing = parts.table(table);
        this.random = new SplittableRandom(seed);
        for (int i = 0; i < 2; i++) {
            LockKey key = new LockKey("lock-" + i, "default");
            keys.add(key);
            referees.put(key, new Referee(key));
            histories.put(key, new ArrayDeque<>(List.of(LockItem.ABSENT)));
        }
    }

    /** @throws AssertionError if a promise is broken */
    void run() {
        for (int i = 0; i < story.processes(); i++) {
            Process process = new Process(i);
            processes.add(process);
            process.start();
            for (int j = 0; j < story.callers(); j++) {
                open++;
                time.inMillis(random.nextLong(300), () -> process.arrive(0));
            }
        }
        if (story.hasOutages()) {
            time.inMillis(random.nextLong(1_000, 15_000), () -> {
                isSilent = true;
                time.inMillis(random.nextLong(100, 12_000), () -> isSilent = false);
            });
        }
        time.in(CALM_FROM, () -> isCalm = true);
        time.advanceUntil(() -> broken != null || isCalm && open == 0 && areIdle(), END);
        if (broken != null) {
            throw broken;
        }
        check(open == 0, open + " callers were neither served nor told");
        check(areIdle(), "a process still does something about a lock of which nobody wants anything: " + processes);
        Set<SessionId> living = new HashSet<>();
        processes.forEach(process -> living.add(process.session));
        for (LockKey key : keys) {
            check(
                    table.lock(key).queue().stream().noneMatch(entry -> living.contains(entry.session())),
                    "left in the queue of " + key + ": " + table.lock(key));
        }
    }

    private boolean areIdle() {
        return processes.stream().allMatch(process -> ((PausableEngine) process.engine).locksInUse() == 0);
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            broken = new AssertionError("seed " + seed + " of " + story + " after " + time.millis() + " ms: " + what
                    + "\n" + String.join("\n", log));
            throw broken;
        }
    }

    /** What a stage is to do when it completes: a stage would keep to itself what is thrown there. */
    private <T> Consumer<T> loudly(Consumer<T> step) {
        return value -> {
            try {
                step.accept(value);
            } catch (RuntimeException e) {
                check(false, "thrown: " + e);
            }
        };
    }

    private void tell(String what) {
        log.add(time.nanos() / 1000 / 1000.0 + " " + what);
        if (log.size() > 120) {
            log.removeFirst();
        }
    }

    private boolean happens(double probability) {
        return !isCalm && random.nextDouble() < probability;
    }

    /** What is promised of one lock. */
    private final class Referee {

        private final LockKey key;
        private final List<Caller> holders = new ArrayList<>();
        private final List<Entry> formerFences = new ArrayList<>();
        private final Set<String> possibleData = new HashSet<>(Set.of(""));
        private long greatestTicket;

        Referee(LockKey key) {
            this.key = key;
        }

        void granted(Caller caller, Grant grant) {
            grants++;
            // One that is found over here leaves by itself.
            List.copyOf(holders).stream()
                    .filter(holder -> !holder.grant.isValid())
                    .forEach(holders::remove);
            boolean isExclusive = caller.mayNotShare();
            for (Caller holder : holders) {
                check(!isExclusive && holder.goesWith(caller), caller + " holds " + key + " beside " + holder);
            }
            check(holders.size() < PERMITS || caller.spec.kind() != Kind.PERMIT, "a permit too many for " + caller);
            check(grant.isValid(), caller + " is granted what is not valid");
            if (isExclusive) {
                check(
                        grant.ticket() > greatestTicket,
                        caller + " has ticket " + grant.ticket() + " after " + greatestTicket);
                LockItem item = table.lock(key);
                formerFences.forEach(fence -> check(
                        !item.queue().contains(fence), "the fence " + fence.text() + " of a former holder is good"));
                String data = grant.data().text();
                check(possibleData.contains(data), caller + " finds '" + data + "', but it may be " + possibleData);
                possibleData.clear();
                possibleData.add(data);
            }
            greatestTicket = Math.max(greatestTicket, grant.ticket());
            holders.add(caller);
        }

        void over(Caller caller) {
            holders.remove(caller);
            if (caller.fence != null) {
                formerFences.add(caller.fence);
            }
        }
    }

    /** One caller in a process, which comes again a few times. */
    private final class Caller {

        private final Process process;
        private final int round;
        private final LockKey key = keys.get(random.nextInt(keys.size()));
        private final AcquireSpec spec = spec(key);
        private @Nullable Entry fence;
        private Grant grant;
        private boolean isOver;

        Caller(Process process, int round) {
            this.process = process;
            this.round = round;
        }

        boolean mayNotShare() {
            return spec.kind() == Kind.EXCLUSIVE || spec.kind() == Kind.WRITE;
        }

        boolean goesWith(Caller other) {
            boolean reads = spec.kind() == Kind.READ || asksToRead;
            return reads && other.spec.kind() == Kind.READ
                    || spec.kind() == Kind.PERMIT && other.spec.kind() == Kind.PERMIT;
        }

        private boolean asksToRead;

        @Override
        public String toString() {
            return process + " " + spec.kind() + " round " + round + " of " + key.key();
        }
    }

    private AcquireSpec spec(LockKey key) {
        Kind kind = Kind.EXCLUSIVE;
        if (story.isMixed()) {
            boolean hasPermits = key.key().equals("lock-1") && seed % 2 == 0;
            int dice = random.nextInt(10);
            kind = hasPermits ? Kind.PERMIT : dice < 4 ? Kind.READ : dice < 6 ? Kind.WRITE : Kind.EXCLUSIVE;
        }
        int dice = random.nextInt(10);
        Duration wait = dice == 0
                ? Duration.ZERO
                : dice < 3
                        ? Duration.ofMillis(random.nextInt(1, 300))
                        : dice < 5 ? Duration.ofSeconds(3) : AcquireSpec.FOREVER;
        Duration maxHold = random.nextInt(10) == 0 ? Duration.ofMillis(random.nextInt(1, 40)) : null;
        Duration least = random.nextInt(10) == 0 ? Duration.ofMillis(random.nextInt(1, 30)) : null;
        return new AcquireSpec(key, "sim", wait, maxHold, least, kind, kind == Kind.PERMIT ? PERMITS : 0, false);
    }

    /** A process: an engine, its loop, its clocks and its way to the store. It may die, and another comes in its place. */
    private final class Process extends Unheard {

        private final int index;
        private LockEngine engine;
        private VirtualTime.Loop loop;
        private @Nullable SessionId session;
        private final List<Caller> callers = new ArrayList<>();

        Process(int index) {
            this.index = index;
        }

        void start() {
            loop = time.new Loop();
            session = null;
            SplittableRandom own = random.split();
            engine = new PausableEngine(
                    new EngineSettings(
                            "P" + index,
                            LEASE,
                            LEASE.dividedBy(4),
                            LEASE.dividedBy(20),
                            Duration.ofMillis(10),
                            Duration.ofSeconds(1),
                            Duration.ZERO,
                            Duration.ofMinutes(5),
                            CALL_TIMEOUT,
                            50,
                            Duration.ofDays(7),
                            random.nextInt(4) == 0 ? 4 : 200),
                    new Link(this, loop),
                    loop,
                    time,
                    own,
                    this,
                    parts);
            if (story.hasCrashes()) {
                time.inMillis(random.nextLong(2_000, 20_000), this::mishap);
            }
        }

        private void mishap() {
            if (isCalm) {
                return;
            }
            if (random.nextBoolean()) {
                Duration freeze = Duration.ofMillis(random.nextLong(10, 9_000));
                tell(this + " freezes for " + freeze);
                loop.freeze(freeze);
                time.inMillis(random.nextLong(2_000, 20_000), this::mishap);
                return;
            }
            tell(this + " dies");
            loop.die();
            List<Caller> lost = List.copyOf(callers);
            callers.clear();
            for (Caller caller : lost) {
                if (!caller.isOver) {
                    caller.isOver = true;
                    referees.get(caller.key).over(caller);
                    time.inMillis(random.nextLong(3_000), () -> arrive(caller.round + 1));
                }
            }
            start();
        }

        void arrive(int round) {
            if (round >= ROUNDS || isCalm) {
                open--;
                return;
            }
            Caller caller = new Caller(this, round);
            callers.add(caller);
            tell(caller + " comes, waits " + caller.spec.waitLimit());
            long came = time.nanos();
            VirtualTime.Loop at = loop;
            Acquisition acquisition = engine.acquire(caller.spec);
            acquisition.outcome().thenAccept(loudly(outcome -> {
                if (at.isDead() || caller.isOver) {
                    return;
                }
                if (outcome instanceof AcquireOutcome.Granted granted) {
                    granted(caller, granted.grant());
                } else {
                    AcquireOutcome why = outcome;
                    tell(caller + " ends: " + why);
                    Duration limit = caller.spec.waitLimit();
                    boolean isInTime = limit.compareTo(Duration.ofDays(1)) > 0
                            || time.nanos() - came <= limit.plusMillis(1_001).toNanos()
                            || story.hasCrashes();
                    check(isInTime, caller + " waited " + (time.nanos() - came) / MILLI + " ms");
                    over(caller);
                }
            }));
            if (happens(0.05)) {
                time.inMillis(random.nextLong(100), acquisition::abandon);
            }
        }

        private void granted(Caller caller, Grant grant) {
            caller.grant = grant;
            tell(caller + " is granted " + grant.ticket() + " by "
                    + grant.entry().text() + " of " + text(table.lock(caller.key)));
            Referee referee = referees.get(caller.key);
            referee.granted(caller, grant);
            Consumer<LossReason> lost = loudly(reason -> {
                tell(caller + " has lost it: " + reason);
                check(
                        story.hasCrashes() || story.hasOutages() || story.isLossy() || reason == LossReason.MAX_HOLD,
                        caller + " has lost it: " + reason);
                referee.over(caller);
            });
            grant.onLost(() -> lost.accept(grant.loss().orElseThrow()));
            boolean isExclusive = caller.mayNotShare();
            if (isExclusive && random.nextInt(4) == 0) {
                grant.fence().ifPresent(fence -> caller.fence = fence);
            }
            if (isExclusive && caller.fence == null && random.nextInt(5) == 0) {
                String put = "put" + grants;
                referee.possibleData.add(put);
                grant.putData(LockData.of(put));
            }
            if (caller.spec.kind() == Kind.WRITE && random.nextBoolean()) {
                time.inMillis(random.nextLong(10), () -> {
                    if (grant.isValid() && !caller.isOver) {
                        caller.asksToRead = true;
                        grant.downgrade();
                    }
                });
            }
            long section = random.nextInt(3) == 0 ? random.nextLong(60) * MILLI : random.nextLong(3) * MILLI;
            loop.schedule(() -> release(caller, grant), Duration.ofNanos(section));
        }

        private void release(Caller caller, Grant grant) {
            LockData left = null;
            Referee referee = referees.get(caller.key);
            if (caller.mayNotShare() && !caller.asksToRead && random.nextBoolean()) {
                left = LockData.of("left" + time.nanos());
                if (grant.isValid()) {
                    referee.possibleData.add(left.text());
                }
            }
            tell(caller + " releases");
            grant.release(left).thenAccept(loudly(wasOwn -> over(caller)));
            referee.over(caller);
        }

        private void over(Caller caller) {
            if (!caller.isOver) {
                caller.isOver = true;
                callers.remove(caller);
                time.inMillis(random.nextBoolean() ? 0 : random.nextLong(50), () -> arrive(caller.round + 1));
            }
        }

        @Override
        public void sessionStarted(SessionId id) {
            tell(this + " has session " + id);
            session = id;
        }

        @Override
        public void sessionLost(SessionId id) {
            tell(this + " has lost session " + id);
            session = null;
        }

        @Override
        public String toString() {
            return "P" + index;
        }
    }

    /** A process's way to the store. */
    private final class Link implements LockStore {

        private final Process process;
        private final VirtualTime.Loop loop;

        Link(Process process, VirtualTime.Loop loop) {
            this.process = process;
            this.loop = loop;
        }

        @Override
        public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, Instant at) {
            tell(process + " sends " + text(edit));
            return call(() -> {
                Answer<LockItem> answer =
                        landing.edit(key, edit, at).toCompletableFuture().join();
                tell(process + "'s lands, " + (answer.isApplied() ? "applied " : "refused ") + text(edit));
                if (answer.isApplied()) {
                    histories.get(key).addFirst(answer.item());
                }
                return answer;
            });
        }

        @Override
        public CompletionStage<LockItem> read(LockKey key, boolean consistent) {
            return call(() -> {
                int age = consistent || !story.isLossy() ? 0 : Math.max(0, random.nextInt(8) - 4);
                return age == 0
                        ? table.lock(key)
                        : histories.get(key).stream().skip(age).findFirst().orElse(LockItem.ABSENT);
            });
        }

        @Override
        public CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, Instant at) {
            return call(() -> landing.edit(id, edit, at).toCompletableFuture().join());
        }

        @Override
        public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
            return call(() -> landing.locks(key, after).toCompletableFuture().join());
        }

        @Override
        public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
            return call(() -> landing.sessions(ids).toCompletableFuture().join());
        }

        private <T> CompletionStage<T> call(Supplier<T> landing) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            boolean isLate = story.isLossy() && happens(0.03);
            boolean isLost = isSilent || story.isLossy() && happens(0.04);
            boolean isAnswerLost = story.isLossy() && happens(0.04);
            Duration there = isLate ? Duration.ofNanos(random.nextLong(CALL_TIMEOUT.toNanos() * 3 / 2)) : delay();
            if (!isLost) {
                time.in(there, () -> {
                    if (!isSilent) {
                        T result = landing.get();
                        if (!isAnswerLost) {
                            time.in(delay(), () -> answer.complete(result));
                        }
                    }
                });
            }
            return answer;
        }

        private Duration delay() {
            return Duration.ofMillis(story.isLossy() && happens(0.02) ? random.nextLong(400) : 1 + random.nextLong(5));
        }
    }

    private static String text(Edit edit) {
        Edit.Reissue reissue = edit.reissue();
        return "-" + edit.removed().values().stream().map(Entry::text).toList()
                + (reissue == null
                        ? ""
                        : " " + reissue.from().text() + "->" + reissue.to().text())
                + " +" + edit.appended().stream().map(Entry::text).toList()
                + (edit.data() == null ? "" : " data " + edit.data().text());
    }

    private static String text(LockItem item) {
        return item.tail() + " " + item.queue().stream().map(Entry::text).toList();
    }
}
