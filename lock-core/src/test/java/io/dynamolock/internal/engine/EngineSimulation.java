package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.process.PausableEngine;
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
import io.dynamolock.internal.store.testing.StoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulates several processes with engines of their own, a few locks, and a network on which a seed decides. Callers
 * ask for locks in all the ways there are, and change their minds; a {@link Story} says what may go wrong. Each grant
 * is checked against the promises of the lock. At the end every caller must have been served or told why not, every
 * lock must be free, and no entry may be left.
 *
 * <p>If somebody removes an item by hand, nothing is checked of those who held the lock or waited for it by that item,
 * and tokens may fall. A network that delivers an answered append twice brings back an entry that was removed, and with
 * it the fence of a former holder.
 *
 * <p>The same seed tells the same story. Time is virtual, and everything happens on one thread.
 */
final class EngineSimulation {

    /** What may happen besides callers that come, hold a lock and go. */
    enum Mishap {
        /** Calls and answers get lost, calls land late and read old items, and sessions begin late. */
        LOST,
        /** An edit that was answered lands a second time. */
        DOUBLED,
        /** Calls fail without effect. */
        THROTTLED,
        /** Processes freeze, or die and are replaced. */
        CRASHES,
        /** The store does not answer for a while. */
        SILENCE,
        /** Processes pause and resume, and shut down. */
        STOPS,
        /** Wall clocks or the store's clock are wrong. */
        CLOCKS,
        /** Clocks run too fast or too slow. */
        SLEW,
        /** Operators evict entries, and somebody asks processes to confirm their entries. */
        NOTICES,
        /** Somebody changes the number of permits. */
        RESIZES,
        /** Somebody removes items. */
        REMOVALS,
        /** One kind of call fails for long, and the others do not: for one process, or for all. */
        APART,
        /** Each process has settings of its own. */
        MIXED_SETTINGS,
        /** Callers of one process come back to the lock at once, and do not await their releases. */
        RETURNS
    }

    /** The kinds of calls that fail apart. */
    private enum CallKind {
        EDITS,
        READS,
        HEARTBEATS,
        SESSION_READS;

        boolean has(StoreOperation operation) {
            return switch (this) {
                case EDITS -> operation == StoreOperation.EDIT;
                case READS -> operation == StoreOperation.READ;
                case HEARTBEATS -> operation == StoreOperation.HEARTBEAT || operation == StoreOperation.BEGIN_SESSION;
                case SESSION_READS ->
                    operation == StoreOperation.READ_SESSIONS || operation == StoreOperation.EXPIRE_SESSION;
            };
        }
    }

    /** What becomes of the calls that fail apart. */
    private enum Trouble {
        /** They fail at once, and it is not known whether they have landed. */
        FAIL,
        SLOW,
        /** They fail without effect. */
        THROTTLED,
        LOSE_THEIR_ANSWERS
    }

    /**
     * One kind of call fails for a while.
     *
     * @param process whose calls these are; {@code null} for all processes
     * @param share how many of the calls are meant
     */
    private record Failing(
            CallKind calls, Trouble trouble, @Nullable Process process, double share) {}

    /**
     * What happens in a simulation.
     *
     * @param callers how many callers each process has at the same time
     * @param isMixed whether there are also readers, writers that go on as readers, and permits
     * @param mishaps what may go wrong
     */
    record Story(int processes, int callers, boolean isMixed, Set<Mishap> mishaps) {

        Story(boolean isMixed, Mishap... mishaps) {
            this(3, 4, isMixed, Set.of(mishaps));
        }

        boolean has(Mishap mishap) {
            return mishaps.contains(mishap);
        }

        /** Whether nothing goes wrong. */
        boolean isCalm() {
            return mishaps.isEmpty();
        }

        /** Whether callers come back at once, and nothing goes wrong. */
        boolean isOnlyOfReturns() {
            return mishaps.equals(Set.of(Mishap.RETURNS));
        }

        /** Whether sessions may be lost. */
        boolean losesSessions() {
            return has(Mishap.LOST)
                    || has(Mishap.CRASHES)
                    || has(Mishap.SILENCE)
                    || has(Mishap.CLOCKS)
                    || has(Mishap.APART)
                    || has(Mishap.THROTTLED);
        }
    }

    /** Engines and the table of a simulation, for those who replace them. */
    interface Parts {

        Parts USUAL = new Parts() {};

        default Engine engine(Engine.Parts parts) {
            return Engine.of(parts);
        }

        default LockStore table(InMemoryLockStore table) {
            return table;
        }
    }

    private static final long MILLI = 1_000_000;
    private static final int PERMITS = 3;

    /** How often a caller comes again at most. */
    private static final int ROUNDS = 8;

    /** The same if callers come back at once: they hold the lock for a moment only. */
    private static final int ROUNDS_OF_RETURNS = 250;

    /** While nothing goes wrong, a caller that does not wait gets the lock within so many tries. */
    private static final int MOST_TRIES = 25;

    /** The longest time for which an entry may stay. */
    private static final Duration LONGEST_STAY = Duration.ofMillis(50);

    /**
     * While nothing goes wrong, a lock that a caller of another process waits for lies idle behind an entry no longer
     * than this: a stay, and the removal.
     */
    private static final Duration LONGEST_IDLE = LONGEST_STAY.plusMillis(20);

    /** Twenty times as many edits as any story needs: more of them mean that a process writes without end. */
    private static final int MOST_EDITS = 5_000;

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(1);

    // Longer than by default: fewer reads, so that more seeds can be played.
    private static final Duration SHORTEST_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(5);

    /** The longest lease of a process that has settings of its own. */
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(8);

    /** From then on nothing goes wrong, and no caller comes. */
    private static final Duration CALM_FROM = Duration.ofSeconds(30);

    /** By then all must be over. */
    private static final Duration END = Duration.ofMinutes(3);

    private final long seed;
    private final Story story;
    private final SplittableRandom random;
    private final SimulatedClocks clocks;
    private final Parts parts;

    /** The table, or what is in place of the table: here calls take effect. */
    private final LockStore landing;

    /** The states of each item, the newest first: reads may show an older one. */
    private final Map<LockKey, Deque<LockItem>> histories = new HashMap<>();

    private final VirtualTime time = new VirtualTime();
    private final InMemoryLockStore table = new InMemoryLockStore(time::now);
    private final List<Process> processes = new ArrayList<>();
    private final Map<LockKey, Referee> referees = new HashMap<>();
    private final List<LockKey> keys = new ArrayList<>();

    /** The last steps of the story, for the message of a failure. */
    private final Deque<String> log = new ArrayDeque<>();

    /** Whether the time has come from which nothing goes wrong. */
    private boolean isCalm;

    /** Whether the store does not answer. */
    private boolean isSilent;

    /** Which calls fail apart at present; {@code null} if none do. */
    private @Nullable Failing failing;

    /** How many callers are in a round or will come for another one. */
    private int openCallers;

    private int grants;

    /** How many edits were sent. */
    private int edits;

    /** How many edits a calm story may send, by what its callers did. */
    private int expectedEdits;

    /** The first promise that was broken; {@code null} so far. */
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
        this.clocks = new SimulatedClocks(
                time, new SplittableRandom(~seed), story.has(Mishap.CLOCKS), story.has(Mishap.SLEW));
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
                openCallers++;
                LockKey again = process.returns() && j < keys.size() ? keys.get(j) : null;
                time.inMillis(random.nextLong(300), () -> process.arrive(0, again));
            }
        }
        if (story.has(Mishap.SILENCE)) {
            time.inMillis(random.nextLong(1_000, 15_000), () -> {
                isSilent = true;
                time.inMillis(random.nextLong(100, 12_000), () -> isSilent = false);
            });
        }
        repeat(Mishap.NOTICES, 500, this::giveNotice);
        repeat(Mishap.RESIZES, 1_000, this::resize);
        repeat(Mishap.REMOVALS, 3_000, this::remove);
        repeat(Mishap.APART, 3_000, key -> failApart());
        time.in(CALM_FROM, () -> {
            isCalm = true;
            clocks.calm();
        });
        time.advanceUntil(() -> broken != null || isCalm && openCallers == 0 && areIdle(), END);
        if (broken != null) {
            throw broken;
        }
        check(openCallers == 0, openCallers + " callers were neither served nor told");
        check(areIdle(), "a process still does something about a lock of which nobody wants anything: " + processes);
        check(!story.isCalm() || edits <= expectedEdits, edits + " writes instead of " + expectedEdits);
        keys.forEach(this::checkThatItIsFree);
    }

    private void checkThatItIsFree(LockKey key) {
        // An engine that was paused a moment ago may still be about to end its session.
        time.advanceUntil(() -> leftBy(key).isEmpty(), CALL_TIMEOUT.multipliedBy(3));
        check(leftBy(key).isEmpty(), "left in the queue of " + key + ": " + table.lock(key));
        LockEngine engine = processes.get(0).engine;
        Acquisition last = engine.acquire(Specs.exclusive(key)
                .waiting(END.plus(SimulatedClocks.MOST_AHEAD.multipliedBy(2)))
                .spec());
        // A process that was told a wrong time by the store may keep a lock for too long.
        Duration keptTooLong = clocks.isStoreRight() ? Duration.ZERO : SimulatedClocks.MOST_AHEAD.multipliedBy(2);
        Duration lease = story.has(Mishap.MIXED_SETTINGS) ? LONGEST_LEASE : LEASE;
        time.advanceUntil(() -> last.outcome().isDone(), lease.multipliedBy(4).plus(keptTooLong));
        check(last.outcome().isDone(), key + " is not free: " + table.lock(key));
        AcquireOutcome outcome = last.outcome().join();
        check(outcome instanceof AcquireOutcome.Granted, key + " is not granted at the end: " + outcome);
        CompletableFuture<Boolean> released =
                ((AcquireOutcome.Granted) outcome).grant().release();
        // A session that is lost just now ends the release before its edit has landed.
        // An append of a dead session may land as late as now: whoever wants the lock next takes its entry out.
        time.advanceUntil(() -> released.isDone() && leftBy(key).isEmpty(), CALL_TIMEOUT);
        check(leftBy(key).isEmpty(), "left behind in " + key + ": " + table.lock(key));
    }

    /** Entries of processes that live, without those that the network brought back. */
    private List<Entry> leftBy(LockKey key) {
        return table.lock(key).queue().stream()
                .filter(entry -> entry instanceof Entry.OfSession left
                        && table.session(left.session()).isPresent()
                        && processes.stream().anyMatch(process -> left.session().equals(process.session)))
                .filter(entry -> !referees.get(key).doubled.contains(entry))
                .toList();
    }

    /**
     * Lets a mishap happen to a random lock again and again until all is calm, if the story has it.
     *
     * @param millis the mean pause between two of them
     */
    private void repeat(Mishap mishap, long millis, Consumer<LockKey> step) {
        if (story.has(mishap)) {
            time.inMillis(random.nextLong(2 * millis), () -> {
                if (!isCalm) {
                    step.accept(keys.get(random.nextInt(keys.size())));
                    repeat(mishap, millis, step);
                }
            });
        }
    }

    private void giveNotice(LockKey key) {
        List<Entry> queue = table.lock(key).queue();
        if (queue.isEmpty()) {
            return;
        }
        Entry entry = queue.get(random.nextInt(queue.size()));
        Process operator = processes.get(random.nextInt(processes.size()));
        if (random.nextBoolean()) {
            tell("an operator at " + operator + " evicts " + entry.text());
            List<Caller> meant = referees.get(key).holdersBy(entry, queue);
            operator.engine.evict(key, entry.id(), "").thenAccept(failingLoudly(isDone -> {
                tell("the eviction of " + entry.text() + " is called " + (isDone ? "done" : "not done"));
                check(
                        !isDone
                                || referees.get(key).wasRemoved
                                || meant.stream().noneMatch(this::stillHolds),
                        meant + " held by " + entry.text() + ", which is called evicted, and still holds");
            }));
        } else if (entry instanceof Entry.OfSession asked) {
            table.edit(
                    asked.session(),
                    new SessionEdit.Notify(new Notice(Notice.Wish.TAKE_OUT_IF_UNWANTED, key, asked.number())),
                    time.now());
        }
    }

    private boolean stillHolds(Caller caller) {
        return referees.get(caller.key).holders.contains(caller)
                && Objects.requireNonNull(caller.grant).isValid();
    }

    private void resize(LockKey key) {
        processes.get(random.nextInt(processes.size())).engine.resize(key, random.nextInt(1, PERMITS + 2));
    }

    private void remove(LockKey key) {
        tell("somebody removes " + key);
        referees.get(key).removed();
        table.removeLock(key);
        histories.get(key).addFirst(LockItem.ABSENT);
    }

    private void failApart() {
        CallKind[] calls = CallKind.values();
        Trouble[] troubles = Trouble.values();
        Failing next = new Failing(
                calls[random.nextInt(calls.length)],
                troubles[random.nextInt(troubles.length)],
                random.nextBoolean() ? null : processes.get(random.nextInt(processes.size())),
                random.nextBoolean() ? 1 : 0.9);
        tell("from now on: " + next);
        failing = next;
        time.inMillis(random.nextLong(100, 12_000), () -> {
            if (next.equals(failing)) {
                failing = null;
            }
        });
    }

    private @Nullable Trouble trouble(Process process, StoreOperation operation) {
        boolean isMeant = failing != null
                && failing.calls().has(operation)
                && (failing.process() == null || failing.process() == process);
        return isMeant && happens(failing.share()) ? failing.trouble() : null;
    }

    private boolean areIdle() {
        return processes.stream().allMatch(process -> process.latestEngine.locksInUse() == 0);
    }

    /** @param what what is wrong if it does not hold */
    private void check(boolean holds, String what) {
        if (!holds) {
            if (broken == null) {
                broken = new AssertionError("seed " + seed + " of " + story + " after " + time.millis() + " ms: " + what
                        + "\n" + String.join("\n", log));
            }
            throw broken;
        }
    }

    /** A step for when a stage completes. If it throws, the simulation fails; the stage would swallow the exception. */
    private <T> Consumer<T> failingLoudly(Consumer<T> step) {
        return value -> {
            try {
                step.accept(value);
            } catch (RuntimeException e) {
                check(false, "thrown: " + e);
            }
        };
    }

    private void tell(String what) {
        log.add(TimeUnit.NANOSECONDS.toMicros(time.nanos()) / 1000.0 + " " + what);
        if (log.size() > 120) {
            log.removeFirst();
        }
    }

    private boolean happens(double probability) {
        return !isCalm && random.nextDouble() < probability;
    }

    /** Checks the promises of one lock. */
    private final class Referee {

        private final LockKey key;
        private final List<Caller> holders = new ArrayList<>();

        /** The callers that were given a fence. */
        private final Map<Entry, Caller> fences = new HashMap<>();

        /** What the next holder may find as data. */
        private final Set<String> possibleData = new HashSet<>(Set.of(""));

        /** Callers that released the lock before their shortest hold was over, with its end by the monotonic clock. */
        private final Map<Caller, Long> keeps = new HashMap<>();

        /** Entries of items that somebody removed by hand. */
        private final Set<Entry> voided = new HashSet<>();

        /** Entries of edits that landed a second time: they may have come back. */
        private final Set<Entry> doubled = new HashSet<>();

        /** Whether somebody removed the item by hand. */
        private boolean wasRemoved;

        /** When the first edit landed, by the monotonic clock. */
        private long existsSince = Long.MAX_VALUE;

        private long greatestTicket;

        // Where nothing goes wrong but that callers come back at once

        /** When the append of each entry was sent, by the monotonic clock. */
        private final Map<Entry, Long> appendSent = new HashMap<>();

        /** The entries that were appended alone to an empty queue: such an entry may stay. */
        private final Set<Entry> landedAlone = new HashSet<>();

        /** When the append of each entry landed, by the monotonic clock. */
        private final Map<Entry, Long> appendLanded = new HashMap<>();

        /** The entries whose removal was sent. */
        private final Set<Entry> removalSent = new HashSet<>();

        /** How many tries were refused in a row. */
        private int refusedTries;

        /** Since when nobody has had the lock, by the monotonic clock. */
        private long idleSince;

        Referee(LockKey key) {
            this.key = key;
        }

        void removed() {
            wasRemoved = true;
            voided.addAll(table.lock(key).queue());
            holders.clear();
            keeps.clear();
            possibleData.add("");
        }

        /** Checks that the caller may have the lock, by everything that is known of the lock. */
        void granted(Caller caller, Grant grant) {
            grants++;
            check(grant.isValid(), caller + " is granted what is not valid");
            if (voided.contains(grant.entry())) {
                return;
            }
            LockItem item = table.lock(key);
            int index = item.indexOf(grant.entry());
            boolean isResized = caller.spec.kind() == Kind.PERMIT && story.has(Mishap.RESIZES);
            int holding = isResized ? PERMITS + 1 : item.holders();
            check(0 <= index && index < holding, caller + " is granted what it does not hold in " + text(item));
            // The loss of a grant that is over may not have been told yet.
            List.copyOf(holders).stream()
                    .filter(holder -> !holder.grant.isValid())
                    .forEach(holders::remove);
            boolean isExclusive = caller.mayNotShare();
            for (Caller holder : holders) {
                check(!isExclusive && holder.goesWith(caller), caller + " holds " + key + " beside " + holder);
            }
            keeps.values().removeIf(until -> until <= time.nanos());
            keeps.keySet()
                    .forEach(keeper -> check(
                            keeper.goesWith(caller), caller + " is granted what is kept for " + keeper + ": " + keeps));
            if (caller.spec.kind() == Kind.PERMIT) {
                check(holders.size() < (isResized ? PERMITS + 1 : item.permits()), "a permit too many for " + caller);
                check(
                        isResized || caller.spec.permits() == item.permits(),
                        caller + " has one of " + item.permits() + " permits instead of " + caller.spec.permits());
            }
            checkOrder(caller);
            if (isExclusive) {
                check(
                        wasRemoved || grant.ticket() > greatestTicket,
                        caller + " has ticket " + grant.ticket() + " after " + greatestTicket);
                for (Entry entry : item.queue()) {
                    checkFence(entry, grant.ticket());
                }
                String data = grant.data().text();
                check(possibleData.contains(data), caller + " finds '" + data + "', but it may be " + possibleData);
                possibleData.clear();
                possibleData.add(data);
            }
            greatestTicket = Math.max(greatestTicket, grant.ticket());
            if (story.isOnlyOfReturns()) {
                checkStay(caller, grant, item);
            }
            holders.add(caller);
        }

        /** Checks what staying entries may cost others. */
        private void checkStay(Caller caller, Grant grant, LockItem item) {
            Entry entry = grant.entry();
            long sentAt = appendSent.getOrDefault(entry, Long.MAX_VALUE);
            boolean cameLate = caller.process.returns()
                    && landedAlone.contains(entry)
                    && sentAt < caller.cameAt - OwnEntry.SPARE_WINDOW.toNanos();
            for (Entry other : item.queue()) {
                boolean passes = cameLate
                        && !other.session().equals(entry.session())
                        && appendLanded.getOrDefault(other, Long.MAX_VALUE) < caller.cameAt;
                check(!passes, caller + " came late, but passes " + other.text() + " in " + text(item));
            }
            refusedTries = 0;
        }

        /** An edit takes the first entry out, though nobody has had the lock by it for a while. */
        private void checkIdle(LockItem before) {
            Entry first = before.queue().get(0);
            long wantedSince = before.queue().stream()
                    .filter(entry -> !Objects.equals(entry.session(), first.session()))
                    .mapToLong(entry -> appendLanded.getOrDefault(entry, Long.MAX_VALUE))
                    .min()
                    .orElse(Long.MAX_VALUE);
            long idleMillis = (time.nanos() - Math.max(idleSince, wantedSince)) / MILLI;
            check(
                    !holders.isEmpty() || idleMillis <= LONGEST_IDLE.toMillis(),
                    key + " lay idle for " + idleMillis + " ms though others waited: " + text(before));
        }

        void tryRefused(Caller caller) {
            SessionId returning = processes.get(0).session;
            boolean othersWait =
                    table.lock(key).queue().stream().anyMatch(entry -> !Objects.equals(entry.session(), returning));
            refusedTries = othersWait ? 0 : refusedTries + 1;
            check(refusedTries <= MOST_TRIES, caller + " and others before found " + key + " taken again and again");
        }

        void sent(Edit edit) {
            edit.appended().forEach(entry -> {
                appendSent.put(entry, time.nanos());
                check(
                        entry.slots() <= Math.max(Stays.MOST_SLOTS, 3 * story.callers()),
                        entry.text() + " has too many slots");
            });
            removalSent.addAll(edit.removed().values());
        }

        /** A caller comes whom a staying entry cannot serve: the removal of that entry is sent at once. */
        void comesToStay(Caller caller) {
            LockItem item = table.lock(key);
            boolean isStaying = holders.isEmpty()
                    && keeps.isEmpty()
                    && caller.process.callers.stream()
                            .noneMatch(other -> other != caller && other.key.equals(key) && other.isWaiting())
                    && item.queue().size() == 1
                    && item.queue().get(0).slots() > 1
                    && Objects.equals(item.queue().get(0).session(), caller.process.session);
            if (isStaying && caller.spec.kind() == Kind.READ) {
                Entry staying = item.queue().get(0);
                long appended = appendLanded.getOrDefault(staying, Long.MAX_VALUE);
                time.inMillis(
                        1,
                        () -> check(
                                removalSent.contains(staying)
                                        || !holders.isEmpty()
                                        || staying.mode() != Mode.EXCLUSIVE
                                        || caller.cameAt - appended < MILLI * 8,
                                staying.text() + " stays though " + caller + " waits"));
            }
        }

        /** Checks that the fence of a former holder is not good any more. */
        private void checkFence(Entry entry, long ticket) {
            Caller former = fences.get(entry);
            check(
                    former == null || former.grant.ticket() >= ticket || doubled.contains(entry) || wasRemoved,
                    "the fence " + entry.text() + " of a former holder is good: " + former);
        }

        /**
         * Checks that the caller passes no earlier one of its process that wants the lock in the same way, and, as a
         * reader, no earlier writer.
         */
        private void checkOrder(Caller caller) {
            for (Caller other : caller.process.callers) {
                if (other == caller) {
                    return;
                }
                check(
                        !other.key.equals(key) || !other.isWaiting() || !other.goesFirst(caller) || wasRemoved,
                        caller + " passes " + other);
            }
        }

        /** Notes which entries come back with an edit that lands a second time. */
        void landsAgain(Edit edit) {
            doubled.addAll(edit.appended());
            if (edit.reissue() != null) {
                doubled.add(edit.reissue().to());
            }
        }

        void landed(Process process, Edit edit, LockItem before) {
            for (Entry entry : edit.removed().values()) {
                SessionId session = entry.session();
                check(
                        session == null
                                ? story.has(Mishap.NOTICES)
                                        || !clocks.isStoreRight()
                                        || ((Entry.Kept) entry).until().isBefore(time.now())
                                : process.sessions.contains(session)
                                        || table.session(session).isEmpty(),
                        process + " takes out " + entry.text() + " of " + text(before));
            }
            existsSince = Math.min(existsSince, time.nanos());
            if (story.isOnlyOfReturns() && landedAlone.contains(edit.removed().get(0))) {
                checkIdle(before);
            }
            edit.appended().forEach(entry -> appendLanded.put(entry, time.nanos()));
            if (edit.appended().size() == 1 && before.queue().isEmpty()) {
                landedAlone.addAll(edit.appended());
            }
            Edit.Reissue reissue = edit.reissue();
            boolean isByDoubled = reissue != null && doubled.contains(reissue.from())
                    || !Collections.disjoint(doubled, edit.removed().values());
            if (edit.data() != null && isByDoubled) {
                possibleData.add(edit.data().text());
            }
            if (reissue != null && doubled.contains(reissue.from())) {
                doubled.add(reissue.to());
            }
            for (Entry entry : edit.appended()) {
                checkFence(entry, greatestTicket);
            }
        }

        /** Who holds the lock by this entry; if it is the first, also who holds it later in the same turn. */
        List<Caller> holdersBy(Entry entry, List<Entry> queue) {
            boolean isTurn = entry.equals(queue.get(0)) && entry.mode() == Mode.EXCLUSIVE;
            return holders.stream()
                    .filter(caller -> {
                        Entry by = Objects.requireNonNull(caller.grant).entry();
                        return by.equals(entry)
                                || isTurn
                                        && by.mode() == Mode.EXCLUSIVE
                                        && Objects.equals(by.session(), entry.session());
                    })
                    .toList();
        }

        void released(Caller caller) {
            Duration least = caller.grant.limits().holdAtLeast();
            // A process that saw the item before somebody removed it may still take an old answer for a newer one.
            // Only the store's clock says when a kept entry is over.
            boolean isKept = clocks.isStoreRight() && !story.has(Mishap.NOTICES) && !wasRemoved;
            if (least != null && holders.contains(caller) && isKept) {
                long until = caller.grantedAt + clocks.byAFastClock(least).toNanos();
                keeps.put(caller, until);
            }
            holders.remove(caller);
            idleSince = time.nanos();
        }

        void lost(Caller caller) {
            holders.remove(caller);
            keeps.remove(caller);
            idleSince = time.nanos();
        }
    }

    /** A caller of a process, in one of the rounds in which it comes. */
    private final class Caller {

        private final Process process;
        private final LockEngine engine;
        private final int round;
        private final LockKey key;
        private final AcquireSpec spec;
        private final long cameAt = time.nanos();

        /** By the monotonic clock. */
        private long grantedAt;

        private @Nullable Grant grant;

        /** Whether the caller comes back to this lock at once. */
        private final boolean again;

        /** Whether the caller has abandoned its acquisition. */
        private boolean hasLeft;

        /** Whether the round is over: the caller was told that it does not get the lock, has released it or died. */
        private boolean isOver;

        /** Whether the caller, a writer, has asked to go on as a reader. */
        private boolean asksToRead;

        /** The data that the caller put last. */
        private @Nullable String lastPut;

        /** @param again the lock that the caller comes back to; {@code null} if it takes any */
        Caller(Process process, int round, @Nullable LockKey again) {
            this.key = again == null ? keys.get(random.nextInt(keys.size())) : again;
            this.spec = process.spec(key, again != null);
            this.again = again != null;
            this.process = process;
            this.engine = process.engine;
            this.round = round;
        }

        boolean mayNotShare() {
            return spec.kind() == Kind.EXCLUSIVE || spec.kind() == Kind.WRITE;
        }

        boolean isWaiting() {
            boolean isTimeOver = spec.waitLimit().compareTo(Duration.ofDays(1)) < 0
                    && time.nanos() - cameAt
                            >= clocks.byAFastClock(spec.waitLimit()).toNanos();
            return grant == null && !isOver && !hasLeft && !isTimeOver;
        }

        /**
         * Whether this caller, which came first, is to be served first. Callers of different engines are not compared:
         * an engine may have been shut down while its process was frozen.
         */
        boolean goesFirst(Caller other) {
            boolean areAlike = spec.kind().mode() == other.spec.kind().mode() && spec.permits() == other.spec.permits();
            return engine == other.engine && (areAlike || mayNotShare() && other.spec.kind() == Kind.READ);
        }

        /** Whether this caller may hold the lock beside the other one. */
        boolean goesWith(Caller other) {
            boolean reads = spec.kind() == Kind.READ || asksToRead;
            return reads && other.spec.kind() == Kind.READ
                    || spec.kind() == Kind.PERMIT && other.spec.kind() == Kind.PERMIT;
        }

        @Override
        public String toString() {
            return process + " " + spec.kind() + " round " + round + " of " + key.key();
        }
    }

    private AcquireSpec anySpec(LockKey key) {
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
        int permits = kind != Kind.PERMIT ? 0 : random.nextInt(20) == 0 ? PERMITS + 1 : PERMITS;
        HoldLimits limits = limits();
        boolean onlyIfExists = random.nextInt(10) == 0;
        return Specs.as(kind, key)
                .permits(permits)
                .waiting(wait)
                .maxHold(limits.maxHold())
                .holdAtLeast(limits.holdAtLeast())
                .onlyIfExists(onlyIfExists)
                .spec();
    }

    private HoldLimits limits() {
        int longest = story.has(Mishap.STOPS) ? 1_000 : 30;
        return new HoldLimits(
                random.nextInt(10) == 0 ? Duration.ofMillis(random.nextInt(1, 40)) : null,
                random.nextInt(10) == 0 ? Duration.ofMillis(random.nextInt(1, longest)) : null);
    }

    /** A process: an engine, its loop, its clocks and its way to the store. If it dies, another takes its place. */
    private final class Process extends NoOpEngineListener {

        private final int index;
        private LockEngine engine;

        /** The engine that was made last: another is made at each end of a pause. */
        private Engine latestEngine;

        private VirtualTime.Loop loop;

        /** The session that the listener heard of last; {@code null} if it has ended. */
        private @Nullable SessionId session;

        /** All sessions that the process ever had. */
        private final Set<SessionId> sessions = new HashSet<>();

        /** In the order in which they came. */
        private final List<Caller> callers = new ArrayList<>();

        private SimulatedClocks.Local clock = clocks.local();

        /** By the monotonic clock. */
        private long frozenUntil;

        /** Since others were seen, no stay ends before these times by the monotonic clock, by lock. */
        private final Map<LockKey, Long> noStayBefore = new HashMap<>();

        /** How many times the process has died. */
        private int deaths;

        Process(int index) {
            this.index = index;
        }

        /** Whether callers of this process come back to their locks at once. */
        boolean returns() {
            return story.has(Mishap.RETURNS) && index == 0;
        }

        /** With some seeds others want the lock so seldom that entries stay again and again, with others often. */
        private int longestPauseBesideReturns() {
            return returns() || seed % 2 == 0 ? 250 : 3_000;
        }

        private AcquireSpec spec(LockKey key, boolean comesBack) {
            if (!story.has(Mishap.RETURNS)) {
                return anySpec(key);
            }
            Duration stay = Duration.ofMillis(random.nextBoolean() ? 10 : LONGEST_STAY.toMillis());
            if (comesBack) {
                return Specs.exclusive(key).waitingForever().staying(stay).spec();
            }
            AcquireSpec any = anySpec(key);
            Duration wait = !returns() && random.nextBoolean() ? Duration.ZERO : any.waitLimit();
            return Specs.as(any.kind(), key)
                    .permits(any.permits())
                    .waiting(returns() ? AcquireSpec.FOREVER : wait)
                    .maxHold(any.maxHold())
                    .holdAtLeast(any.holdAtLeast())
                    .onlyIfExists(any.onlyIfExists() && !returns())
                    .staying(stay)
                    .spec();
        }

        void start() {
            clock = clocks.local();
            loop = time.new Loop(clock.rate());
            session = null;
            SplittableRandom randomOfProcess = random.split();
            engine = new PausableEngine(
                    settings(), new Link(this), loop, clock, randomOfProcess, this, this::makeEngine);
            LockEngine started = engine;
            Consumer<Runnable> whileItLives = step -> time.inMillis(random.nextLong(2_000, 20_000), () -> {
                if (!isCalm && engine == started) {
                    step.run();
                }
            });
            if (story.has(Mishap.CRASHES)) {
                whileItLives.accept(this::freezeOrDie);
            }
            if (story.has(Mishap.STOPS)) {
                whileItLives.accept(this::pause);
                whileItLives.accept(this::stop);
            }
            if (story.has(Mishap.CLOCKS)) {
                clock.set();
                whileItLives.accept(clock::set);
            }
        }

        private EngineSettings settings() {
            String owner = "P" + index;
            EngineSettings settings = story.has(Mishap.MIXED_SETTINGS)
                    ? TestSettings.random(owner, LONGEST_LEASE, CALL_TIMEOUT, random)
                    : TestSettings.polling(
                            SHORTEST_POLL,
                            LONGEST_POLL,
                            TestSettings.of(owner, LEASE, CALL_TIMEOUT, 50, random.nextInt(4) == 0 ? 4 : 200));
            tell(settings.toString());
            return settings;
        }

        private Engine makeEngine(Engine.Parts made) {
            latestEngine = parts.engine(made);
            return latestEngine;
        }

        private void pause() {
            tell(this + " pauses");
            CompletableFuture<Void> paused = engine.pause();
            SessionId ended = session;
            long noLongerDeletedAt = time.nanos() + CALL_TIMEOUT.toNanos();
            paused.thenRun(() -> {
                // In an outage the engine at last stops trying to delete its session. Whoever wants the lock then
                // expires the session.
                if (story.losesSessions() && time.nanos() >= noLongerDeletedAt && Objects.equals(session, ended)) {
                    session = null;
                }
            });
            LockEngine pausing = engine;
            time.inMillis(random.nextLong(200, 3_000), () -> {
                check(story.losesSessions() || paused.isDone() || pausing != engine, this + " does not pause");
                tell(this + " resumes");
                pausing.resume();
            });
        }

        private void stop() {
            tell(this + " is shut down");
            CompletableFuture<Void> ended = engine.shutdown();
            boolean mayFreeze = story.has(Mishap.CRASHES);
            time.in(CALL_TIMEOUT.multipliedBy(6), () -> check(ended.isDone() || mayFreeze, this + " does not end"));
            start();
        }

        private void freezeOrDie() {
            if (isCalm) {
                return;
            }
            boolean isFrozen = frozenUntil > time.nanos();
            if (isFrozen || random.nextBoolean()) {
                if (!isFrozen) {
                    Duration freeze = Duration.ofMillis(random.nextLong(10, 9_000));
                    tell(this + " freezes for " + freeze);
                    loop.freeze(freeze);
                    frozenUntil = time.nanos() + freeze.toNanos();
                }
                time.inMillis(random.nextLong(2_000, 20_000), this::freezeOrDie);
                return;
            }
            tell(this + " dies");
            loop.die();
            deaths++;
            List<Caller> lost = List.copyOf(callers);
            callers.clear();
            for (Caller caller : lost) {
                caller.isOver = true;
                time.inMillis(random.nextLong(3_000), () -> arrive(caller.round + 1, null));
            }
            forgetHolds();
            start();
        }

        private void forgetHolds() {
            for (Referee referee : referees.values()) {
                referee.holders.removeIf(caller -> caller.process == this);
                referee.keeps.keySet().removeIf(caller -> caller.process == this);
            }
        }

        /** @param again the lock that the caller comes back to; {@code null} if it takes any */
        void arrive(int round, @Nullable LockKey again) {
            if (round >= (story.isOnlyOfReturns() ? ROUNDS_OF_RETURNS : story.has(Mishap.RETURNS) ? 5 * ROUNDS : ROUNDS)
                    || isCalm) {
                openCallers--;
                return;
            }
            Caller caller = new Caller(this, round, again);
            callers.add(caller);
            if (story.isOnlyOfReturns()) {
                referees.get(caller.key).comesToStay(caller);
            }
            tell(caller + " comes, waits " + caller.spec.waitLimit());
            expectedEdits += 2;
            VirtualTime.Loop loopOfCaller = loop;
            Acquisition acquisition = engine.acquire(caller.spec);
            acquisition.outcome().thenAccept(failingLoudly(outcome -> {
                if (loopOfCaller.isDead() || caller.isOver) {
                    return;
                }
                if (outcome instanceof AcquireOutcome.Granted granted) {
                    granted(caller, granted.grant());
                } else {
                    tell(caller + " ends: " + outcome);
                    check(isRight(caller, outcome), caller + " ends wrongly: " + outcome);
                    Duration limit = caller.spec.waitLimit();
                    boolean isInTime = limit.compareTo(Duration.ofDays(1)) > 0
                            || time.nanos() - caller.cameAt
                                    <= clocks.byASlowClock(limit.plusMillis(1_001))
                                            .toNanos()
                            || story.has(Mishap.CRASHES);
                    check(isInTime, caller + " waited " + (time.nanos() - caller.cameAt) / MILLI + " ms");
                    if (outcome instanceof AcquireOutcome.TimedOut && limit.isZero() && story.isOnlyOfReturns()) {
                        referees.get(caller.key).tryRefused(caller);
                    }
                    over(caller);
                }
            }));
            if (!returns() && happens(0.05)) {
                time.inMillis(random.nextLong(100), () -> {
                    caller.hasLeft = true;
                    acquisition.abandon();
                });
            }
        }

        private boolean isRight(Caller caller, AcquireOutcome outcome) {
            Referee referee = referees.get(caller.key);
            if (outcome instanceof AcquireOutcome.NotFound) {
                return caller.spec.onlyIfExists() && (referee.wasRemoved || referee.existsSince >= caller.cameAt);
            } else if (outcome instanceof AcquireOutcome.OtherPermits other) {
                return other.permits() != caller.spec.permits();
            } else if (outcome instanceof AcquireOutcome.Evicted) {
                return story.has(Mishap.NOTICES);
            } else if (outcome instanceof AcquireOutcome.Closed || outcome instanceof AcquireOutcome.Paused) {
                return story.has(Mishap.STOPS);
            } else if (outcome instanceof AcquireOutcome.Failed failed) {
                // An engine calls its own faults UNREADABLE.
                return story.losesSessions() && failed.cause().kind() != StoreFailure.Kind.UNREADABLE;
            }
            return outcome instanceof AcquireOutcome.Abandoned
                    || caller.spec.waitLimit().compareTo(END) < 0;
        }

        private void granted(Caller caller, Grant grant) {
            caller.grant = grant;
            caller.grantedAt = time.nanos();
            tell(caller + " is granted " + grant.ticket() + " by "
                    + grant.entry().text() + " of " + text(table.lock(caller.key)));
            Referee referee = referees.get(caller.key);
            referee.granted(caller, grant);
            Consumer<LossReason> lost = failingLoudly(reason -> {
                tell(caller + " has lost it: " + reason);
                check(isRight(reason), caller + " has lost it: " + reason);
                expectedEdits++;
                if (!reason.isOwnWish() || story.losesSessions()) {
                    referee.lost(caller);
                } else {
                    referee.released(caller);
                }
            });
            grant.onLost(() -> lost.accept(grant.loss().orElseThrow()));
            boolean isExclusive = caller.mayNotShare();
            if (caller.again) {
                later(
                        random.nextInt(20) == 0 ? random.nextLong(150) : random.nextLong(3),
                        () -> release(caller, grant));
                return;
            }
            if (isExclusive && random.nextInt(4) == 0) {
                expectedEdits++;
                fencedWrite(caller, grant);
            }
            if (isExclusive && random.nextInt(5) == 0) {
                putData(caller, grant);
                if (random.nextBoolean()) {
                    later(random.nextLong(10), () -> putData(caller, grant));
                }
            }
            if (caller.spec.kind() == Kind.WRITE && random.nextBoolean()) {
                later(random.nextLong(10), () -> {
                    if (grant.isValid() && !caller.isOver) {
                        expectedEdits++;
                        caller.asksToRead = true;
                        grant.downgrade();
                    }
                });
            }
            if (random.nextInt(10) == 0) {
                later(random.nextLong(10), () -> grant.limit(grant.limits(), limits()));
            }
            long section = random.nextInt(200) == 0
                    ? random.nextLong(2 * LEASE.toMillis())
                    : random.nextInt(3) == 0 ? random.nextLong(60) : random.nextLong(3);
            later(section, () -> release(caller, grant));
        }

        /** Runs a step of a user's code after a delay, if the process lives by then and as soon as it is not frozen. */
        private void later(long millis, Runnable step) {
            int deathsBefore = deaths;
            time.inMillis(millis, () -> {
                if (deathsBefore == deaths && frozenUntil > time.nanos()) {
                    later((frozenUntil - time.nanos()) / MILLI + 1, step);
                } else if (deathsBefore == deaths) {
                    step.run();
                }
            });
        }

        private void putData(Caller caller, Grant grant) {
            if (grant.isValid() && !caller.asksToRead) {
                expectedEdits++;
                Referee referee = referees.get(caller.key);
                LockData data = LockData.of("put" + grants + "at" + time.nanos());
                referee.possibleData.add(data.text());
                caller.lastPut = data.text();
                grant.putData(data).thenAccept(failingLoudly(isWritten -> {
                    if (isWritten && caller.lastPut.equals(data.text()) && referee.holders.contains(caller)) {
                        referee.possibleData.clear();
                        referee.possibleData.add(data.text());
                    }
                }));
            }
        }

        /** Sends a fenced write that lands later, if the fence is still good by then. */
        private void fencedWrite(Caller caller, Grant grant) {
            grant.fence().ifPresent(fence -> {
                Referee referee = referees.get(caller.key);
                referee.fences.put(fence, caller);
                time.inMillis(random.nextLong(3_000), () -> {
                    if (table.lock(caller.key).queue().contains(fence)) {
                        referee.checkFence(fence, referee.greatestTicket);
                    }
                });
            });
        }

        private void release(Caller caller, Grant grant) {
            LockData left = null;
            Referee referee = referees.get(caller.key);
            boolean comesBack = caller.again && random.nextInt(50) > 0;
            if (!comesBack && caller.mayNotShare() && !caller.asksToRead && random.nextBoolean()) {
                left = LockData.of("left" + time.nanos());
                if (grant.isValid()) {
                    if (story.isCalm() && !referee.voided.contains(grant.entry())) {
                        referee.possibleData.clear();
                    }
                    referee.possibleData.add(left.text());
                }
            }
            tell(caller + " releases");
            boolean wasValid = grant.isValid();
            boolean isAwaited = left != null || caller.spec.release().isAwaited();
            CompletableFuture<Boolean> released = isAwaited ? grant.release(left) : grant.releaseUnawaited();
            if (wasValid) {
                referee.released(caller);
            }
            if (comesBack && wasValid) {
                caller.isOver = true;
                callers.remove(caller);
                if (random.nextInt(3) == 0) {
                    time.inMillis(random.nextLong(6), () -> arrive(caller.round + 1, caller.key));
                } else {
                    arrive(caller.round + 1, caller.key);
                }
            }
            released.thenAccept(failingLoudly(wasOwn -> {
                check(
                        !wasValid || wasOwn || referee.wasRemoved || story.has(Mishap.NOTICES) || story.losesSessions(),
                        caller + " is told that it did not hold what it released");
                over(caller);
            }));
        }

        private boolean isRight(LossReason reason) {
            return switch (reason) {
                case MAX_HOLD -> true;
                case EVICTED -> story.has(Mishap.NOTICES);
                case CLOSED, PAUSED -> story.has(Mishap.STOPS);
                case TAKEN_AWAY -> story.has(Mishap.REMOVALS) || story.losesSessions();
                case SESSION_LOST -> story.losesSessions();
            };
        }

        private void over(Caller caller) {
            if (!caller.isOver) {
                caller.isOver = true;
                callers.remove(caller);
                int longest = story.has(Mishap.RETURNS) ? longestPauseBesideReturns() : 50;
                time.inMillis(
                        random.nextBoolean() && !story.has(Mishap.RETURNS) ? 0 : random.nextLong(longest),
                        () -> arrive(caller.round + 1, caller.again ? caller.key : null));
            }
        }

        @Override
        public void stayEnded(AcquireSpec leftBy, StayEnd how) {
            tell(this + " stayed: " + how);
            LockKey key = leftBy.key();
            boolean isPausing = time.nanos() < noStayBefore.getOrDefault(key, Long.MIN_VALUE);
            check(!story.isOnlyOfReturns() || !isPausing, this + " stays with " + key + " though others want it");
            if (how == StayEnd.TAKEN) {
                noStayBefore.put(key, time.nanos() + Duration.ofSeconds(1).toNanos());
            }
        }

        @Override
        public void sessionStarted(SessionId id) {
            tell(this + " has session " + id);
            session = id;
            sessions.add(id);
        }

        @Override
        public void sessionLost(SessionId id) {
            tell(this + " has lost session " + id);
            session = null;
            referees.values().forEach(referee -> referee.keeps.keySet().removeIf(caller -> caller.process == this));
        }

        @Override
        public String toString() {
            return "P" + index;
        }
    }

    /** The way of a process to the store. */
    private final class Link extends InterceptedLockStore {

        private final Process process;

        Link(Process process) {
            super(landing);
            this.process = process;
        }

        @Override
        public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, @Nullable Instant at) {
            tell(process + " sends " + text(edit));
            edits++;
            check(edits <= MOST_EDITS, "writes without end");
            referees.get(key).sent(edit);
            return intercept(StoreOperation.EDIT, () -> {
                CompletionStage<Answer<LockItem>> answer = land(key, edit, at);
                if (story.has(Mishap.DOUBLED) && happens(0.05)) {
                    time.inMillis(random.nextLong(1_000), () -> {
                        referees.get(key).landsAgain(edit);
                        land(key, edit, at);
                    });
                }
                return answer;
            });
        }

        private CompletionStage<Answer<LockItem>> land(LockKey key, Edit edit, @Nullable Instant at) {
            LockItem before = table.lock(key);
            Answer<LockItem> answer =
                    landing.edit(key, edit, at).toCompletableFuture().join();
            tell(process + "'s lands, " + (answer.isApplied() ? "applied " : "refused ") + text(edit));
            if (answer.isApplied()) {
                histories.get(key).addFirst(answer.item());
                referees.get(key).landed(process, edit, before);
            } else if (edit.removed().values().stream().anyMatch(entry -> entry.mode() != Mode.EXCLUSIVE)) {
                // Another reader or permit went at the same moment, and those behind it have moved up: this removal is
                // sent again.
                expectedEdits++;
            }
            return CompletableFuture.completedFuture(answer.at(clocks.storeTime()));
        }

        @Override
        public CompletionStage<Answer<Optional<SessionItem>>> edit(
                SessionId id, SessionEdit edit, @Nullable Instant at) {
            return intercept(
                    StoreOperation.of(edit),
                    () -> landing.edit(id, edit, at).thenApply(answer -> answer.at(clocks.storeTime())));
        }

        @Override
        public CompletionStage<Found<Map<SessionId, Optional<SessionItem>>>> sessions(Set<SessionId> ids) {
            return intercept(
                    StoreOperation.READ_SESSIONS,
                    () -> landing.sessions(ids).thenApply(found -> new Found<>(found.content(), clocks.storeTime())));
        }

        @Override
        public CompletionStage<Found<LockItem>> read(LockKey key, boolean consistent) {
            return intercept(StoreOperation.READ, () -> {
                int age = consistent || !story.has(Mishap.LOST) ? 0 : Math.max(0, random.nextInt(8) - 4);
                LockItem old = histories.get(key).stream().skip(age).findFirst().orElse(LockItem.ABSENT);
                LockItem read = age == 0 ? table.lock(key) : old;
                return CompletableFuture.completedFuture(new Found<>(read, clocks.storeTime()));
            });
        }

        @Override
        protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            boolean isLossy = story.has(Mishap.LOST);
            boolean isSlow = operation == StoreOperation.BEGIN_SESSION && isLossy && happens(0.2);
            Duration longer = Duration.ofMillis(isSlow ? random.nextLong(6_000) : 0);
            if (story.has(Mishap.THROTTLED) && happens(0.05)) {
                time.in(delay(), () -> answer.completeExceptionally(failure()));
                return answer;
            }
            Trouble trouble = trouble(process, operation);
            if (trouble != null) {
                fail(trouble, answer, call);
                return answer;
            }
            boolean isLate = isLossy && happens(0.03);
            boolean isLost = isSilent || isLossy && happens(0.04);
            boolean isAnswerLost = isLossy && happens(0.04);
            Duration there = isLate ? Duration.ofNanos(random.nextLong(CALL_TIMEOUT.toNanos() * 3 / 2)) : delay();
            if (!isLost) {
                time.in(there.plus(longer), () -> {
                    if (!isSilent) {
                        T result = call.get().toCompletableFuture().join();
                        if (!isAnswerLost) {
                            time.in(delay(), () -> answer.complete(result));
                        }
                    }
                });
            }
            return answer;
        }

        private <T> void fail(Trouble trouble, CompletableFuture<T> answer, Supplier<CompletionStage<T>> call) {
            switch (trouble) {
                case FAIL -> {
                    boolean lands = random.nextBoolean();
                    time.in(delay(), () -> {
                        if (lands) {
                            land(call);
                        }
                        answer.completeExceptionally(
                                new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "an internal error", null));
                    });
                }
                case SLOW ->
                    time.inMillis(random.nextLong(1_000), () -> {
                        T result = land(call);
                        time.inMillis(random.nextLong(1_000), () -> answer.complete(result));
                    });
                case THROTTLED -> time.in(delay(), () -> answer.completeExceptionally(failure()));
                case LOSE_THEIR_ANSWERS -> time.in(delay(), () -> land(call));
            }
        }

        private static <T> T land(Supplier<CompletionStage<T>> call) {
            return call.get().toCompletableFuture().join();
        }

        private StoreFailure failure() {
            return random.nextBoolean()
                    ? StoreFailure.throttled(StoreFailure.Throttling.UNKNOWN, null, "throttled", null)
                    : new StoreFailure(StoreFailure.Kind.CONFLICTED, "a transaction is under way", null);
        }

        private Duration delay() {
            return Duration.ofMillis(
                    story.has(Mishap.LOST) && happens(0.02) ? random.nextLong(400) : 1 + random.nextLong(5));
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
