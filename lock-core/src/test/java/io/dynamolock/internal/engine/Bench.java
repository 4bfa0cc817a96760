package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.PausableEngine;
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
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Processes with engines on one table in memory, by a virtual clock. Each call takes six milliseconds, and is counted. */
public final class Bench {

    public static final LockKey KEY = new LockKey("key", "default");
    public static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration ONE_WAY = Duration.ofMillis(3);

    public final VirtualTime time = new VirtualTime();
    public final InMemoryLockStore table = new InMemoryLockStore();
    private final SplittableRandom random = new SplittableRandom(1);
    private final List<Machine> machines = new ArrayList<>();
    private final Map<Call, Deque<Fate>> next = new EnumMap<>(Call.class);
    private final Map<Call, Fate> always = new EnumMap<>(Call.class);
    private final List<Runnable> heldUp = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();
    private final Map<Call, Integer> counts = new EnumMap<>(Call.class);
    public int writes;
    public int reads;
    public int sessionWrites;
    public int sessionReads;

    public int consistentReads;

    /** How processes are set up that are made from now on. */
    public Duration lease = LEASE;

    public Duration callTimeout = Duration.ofSeconds(2);
    public int maxCalls = 50;
    public int maxQueue = 200;

    /** How long a call is under way, and how long its answer. */
    public Supplier<Duration> oneWay = () -> ONE_WAY;

    /** Sessions that are missing in what is read. */
    public final Set<SessionId> unreadable = new HashSet<>();

    /** How far the store's clock is ahead. */
    public Duration storeClockAhead = Duration.ZERO;

    /** What becomes of calls; by default they are answered. */
    public Fate fate = Fate.ANSWERED;

    public enum Fate {
        ANSWERED,
        REFUSED_CONNECTION,
        SILENT,
        THROTTLED,
        CONFLICTED,
        /** For good. */
        REFUSED,
        UNREADABLE,
        /** It lands, and fails. */
        LOST_ANSWER,
        /** It lands, and is answered when {@link #resume()} says so. */
        SLOW_ANSWER,
        /** It lands, and is answered, when {@link #resume()} says so. */
        STALLED,
        /** It fails, and lands when {@link #landLate()} says so. */
        LANDS_LATE,
        LANDS_TWICE
    }

    /** The kinds of calls. An edit is of the kinds of its parts, too. */
    public enum Call {
        EDIT,
        APPEND,
        REISSUE,
        REMOVAL,
        READ,
        LIST,
        BEGIN,
        HEARTBEAT,
        EXPIRE,
        END,
        NOTIFY,
        SESSIONS
    }

    /** What becomes of the next calls of this kind. */
    public Bench next(Call call, Fate fate, int times) {
        next.computeIfAbsent(call, none -> new ArrayDeque<>()).addAll(Collections.nCopies(times, fate));
        return this;
    }

    public Bench always(Call call, Fate fate) {
        always.put(call, fate);
        return this;
    }

    public Bench alwaysButHeartbeats(Fate fate) {
        EnumSet.complementOf(EnumSet.of(Call.HEARTBEAT)).forEach(call -> always(call, fate));
        return this;
    }

    /** From now on all calls are answered; those that are held up still are. */
    public void heal() {
        next.clear();
        always.clear();
        fate = Fate.ANSWERED;
    }

    public int heldUp() {
        return heldUp.size();
    }

    public void resume() {
        List.copyOf(heldUp).forEach(Runnable::run);
        heldUp.clear();
    }

    /** @return how many calls have landed */
    public int landLate() {
        List<Runnable> landing = List.copyOf(late);
        late.clear();
        landing.forEach(Runnable::run);
        return landing.size();
    }

    public int count(Call call) {
        return counts.getOrDefault(call, 0);
    }

    /** Another process. */
    public LockEngine process() {
        Machine machine = new Machine();
        return process(machine, machine);
    }

    /** The same, with another listener. */
    public LockEngine process(EngineListener listener) {
        return process(new Machine(), listener);
    }

    private LockEngine process(Machine machine, EngineListener listener) {
        machines.add(machine);
        machine.engine =
                new PausableEngine(settings(), new CountedStore(), machine.loop, machine, random.split(), listener);
        return machine.engine;
    }

    /** Where the process runs. */
    public Machine of(LockEngine process) {
        return machines.stream()
                .filter(machine -> machine.engine == process)
                .findFirst()
                .orElseThrow();
    }

    /** The clocks of a process, its loop, and what its listener has heard. */
    public final class Machine extends Unheard implements TimeSource {

        public final VirtualTime.Loop loop = time.new Loop();
        public final List<String> events = new ArrayList<>();
        private LockEngine engine;
        private Duration wallClockAhead = Duration.ZERO;
        private Duration bothClocksAhead = Duration.ZERO;

        public void moveWallClock(Duration ahead) {
            wallClockAhead = wallClockAhead.plus(ahead);
        }

        /** As a time server does: no clock jumps. */
        public void slew(Duration ahead) {
            bothClocksAhead = bothClocksAhead.plus(ahead);
        }

        @Override
        public long nanos() {
            return time.nanos() + bothClocksAhead.toNanos();
        }

        @Override
        public Instant now() {
            return time.now().plus(wallClockAhead).plus(bothClocksAhead);
        }

        @Override
        public void queued(AcquireSpec spec, long number, long ahead) {
            events.add("queued behind " + ahead);
        }

        @Override
        public void ended(AcquireSpec spec, AcquireOutcome how, Duration waited, boolean wasQueued) {
            if (how instanceof AcquireOutcome.Granted) {
                events.add("acquired" + (wasQueued ? " in the queue" : ""));
            } else if (how instanceof AcquireOutcome.TimedOut) {
                events.add("timed out after " + waited);
            } else {
                events.add(how instanceof AcquireOutcome.Evicted ? "evicted" : "abandoned after " + waited);
            }
        }

        @Override
        public void released(AcquireSpec spec, long number, Duration held) {
            events.add("released after " + held);
        }

        @Override
        public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
            events.add("lost: " + reason);
        }

        @Override
        public void sessionStarted(SessionId session) {
            events.add("session started");
        }

        @Override
        public void sessionLost(SessionId session) {
            events.add("session lost");
        }

        @Override
        public void storeCallFailed(String operation, StoreFailure failure) {
            events.add("failed: " + operation);
        }
    }

    /** The last process that was made dies, as by a power cut. */
    public void die() {
        machines.get(machines.size() - 1).loop.die();
    }

    private EngineSettings settings() {
        return TestSettings.of(
                "process-" + machines.size(), lease, Duration.ofMinutes(5), callTimeout, maxCalls, maxQueue);
    }

    public static AcquireSpec spec(Kind kind, Duration wait) {
        return Specs.as(kind, KEY)
                .permits(kind == Kind.PERMIT ? 100 : 0)
                .waiting(wait)
                .spec();
    }

    public static AcquireSpec exclusive(LockKey key, Duration wait) {
        return Specs.exclusive(key).waiting(wait).spec();
    }

    public static AcquireSpec exclusive(Duration wait) {
        return spec(Kind.EXCLUSIVE, wait);
    }

    public static AcquireSpec exclusive() {
        return exclusive(Duration.ofMinutes(1));
    }

    public static AcquireSpec forever() {
        return exclusive(AcquireSpec.FOREVER);
    }

    /** So many callers of the process, who come at the same time. */
    public static List<Acquisition> callers(LockEngine process, int count, AcquireSpec spec) {
        return Stream.generate(() -> process.acquire(spec)).limit(count).toList();
    }

    /** A caller, and the time after which the next thing happens. */
    public Acquisition acquire(LockEngine process, AcquireSpec spec, long millis) {
        Acquisition acquisition = process.acquire(spec);
        advance(millis);
        return acquisition;
    }

    /** A caller, and time enough for its call. */
    public Acquisition acquire(LockEngine process, AcquireSpec spec) {
        return acquire(process, spec, 100);
    }

    public Acquisition acquire(LockEngine process) {
        return acquire(process, exclusive());
    }

    /** The grant, which is waited for. */
    public Grant granted(Acquisition acquisition) {
        time.advanceUntil(acquisition.outcome()::isDone, Duration.ofMinutes(2));
        return grant(acquisition);
    }

    public static Grant grant(Acquisition acquisition) {
        AcquireOutcome outcome = acquisition.outcome().getNow(null);
        if (outcome instanceof AcquireOutcome.Granted granted) {
            return granted.grant();
        }
        throw new AssertionError("not granted: " + outcome);
    }

    public Grant grant(LockEngine process) {
        return granted(process.acquire(exclusive()));
    }

    public void release(Grant grant) {
        CompletableFuture<Boolean> released = grant.release(null);
        time.advanceUntil(released::isDone, Duration.ofMinutes(1));
    }

    public void advance(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    /** A process whose session has begun. */
    public LockEngine begun() {
        LockEngine process = process();
        release(grant(process));
        advance(100);
        of(process).events.clear();
        reset();
        return process;
    }

    /** The same while another process holds the lock. */
    public LockEngine begunBeside() {
        LockEngine process = process();
        release(granted(process.acquire(exclusive(new LockKey("other", "default"), Duration.ofMinutes(1)))));
        of(process).events.clear();
        reset();
        return process;
    }

    /** Releases each grant as soon as it is made. */
    public static void releaseAtOnce(Acquisition acquisition) {
        acquisition.outcome().thenAccept(outcome -> {
            if (outcome instanceof AcquireOutcome.Granted granted) {
                granted.grant().release();
            }
        });
    }

    /** How it has ended; {@code null} if it has not. */
    public static @Nullable AcquireOutcome outcome(Acquisition acquisition) {
        return acquisition.outcome().getNow(null);
    }

    public static boolean isGranted(Acquisition acquisition) {
        return outcome(acquisition) instanceof AcquireOutcome.Granted;
    }

    public static boolean isTimedOut(Acquisition acquisition) {
        return outcome(acquisition) instanceof AcquireOutcome.TimedOut;
    }

    public List<Entry> queue() {
        return table.lock(KEY).queue();
    }

    /** How many events its listener was told that begin so. */
    public long heard(LockEngine process, String start) {
        return of(process).events.stream()
                .filter(event -> event.startsWith(start))
                .count();
    }

    /** The result, which is waited for. */
    public <T> T get(CompletableFuture<T> result) {
        assertThat(time.advanceUntil(result::isDone, Duration.ofMinutes(2))).isTrue();
        return result.join();
    }

    public void reset() {
        writes = 0;
        reads = 0;
        sessionWrites = 0;
        sessionReads = 0;
        consistentReads = 0;
        counts.clear();
    }

    private final class CountedStore implements LockStore {

        private @Nullable Instant stamp;

        @Override
        public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, Instant now) {
            writes++;
            EnumSet<Call> kinds = EnumSet.of(Call.EDIT);
            if (!edit.appended().isEmpty()) {
                kinds.add(Call.APPEND);
            }
            if (edit.reissue() != null) {
                kinds.add(Call.REISSUE);
            }
            if (!edit.removed().isEmpty()) {
                kinds.add(Call.REMOVAL);
            }
            return call(kinds, () -> landed(table.edit(key, edit, now)));
        }

        @Override
        public CompletionStage<LockItem> read(LockKey key, boolean consistent) {
            reads++;
            consistentReads += consistent ? 1 : 0;
            return call(Call.READ, () -> {
                stamp(consistent);
                return table.lock(key);
            });
        }

        @Override
        public CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, Instant now) {
            sessionWrites++;
            return call(Call.valueOf(edit.getClass().getSimpleName().toUpperCase(Locale.ROOT)), () -> {
                stamp(edit instanceof SessionEdit.Begin || edit instanceof SessionEdit.Heartbeat);
                return landed(table.edit(id, edit, now));
            });
        }

        @Override
        public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
            return call(Call.LIST, () -> landed(table.locks(key, after)));
        }

        @Override
        public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
            sessionReads++;
            return call(Call.SESSIONS, () -> {
                Map<SessionId, Optional<SessionItem>> found = new HashMap<>(landed(table.sessions(ids)));
                found.keySet().removeAll(unreadable);
                return found;
            });
        }

        private static <T> T landed(CompletionStage<T> call) {
            return call.toCompletableFuture().join();
        }

        /** As the head of an answer tells it, to the second. */
        private void stamp(boolean isTold) {
            stamp = isTold ? time.now().plus(storeClockAhead).truncatedTo(ChronoUnit.SECONDS) : stamp;
        }

        @Override
        public Optional<Instant> lastAnsweredAt() {
            return Optional.ofNullable(stamp);
        }

        private <T> CompletionStage<T> call(Call kind, Supplier<T> landing) {
            return call(EnumSet.of(kind), landing);
        }

        private <T> CompletionStage<T> call(EnumSet<Call> kinds, Supplier<T> landing) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            Fate own = null;
            for (Call kind : kinds) {
                counts.merge(kind, 1, Integer::sum);
                Deque<Fate> some = next.getOrDefault(kind, new ArrayDeque<>());
                Fate its = some.isEmpty() ? always.get(kind) : some.removeFirst();
                own = own == null ? its : own;
            }
            Fate how = own == null ? fate : own;
            time.in(oneWay.get(), () -> arrive(how, answer, landing));
            return answer;
        }

        @SuppressWarnings("ReturnValueIgnored") // It may land without an answer.
        private <T> void arrive(Fate how, CompletableFuture<T> answer, Supplier<T> landing) {
            switch (how) {
                case ANSWERED -> answer(answer, landing.get());
                case LANDS_TWICE -> {
                    answer(answer, landing.get());
                    time.in(Duration.ofMillis(1), landing::get);
                }
                case SLOW_ANSWER -> {
                    T result = landing.get();
                    heldUp.add(() -> answer(answer, result));
                }
                case STALLED -> heldUp.add(() -> answer(answer, landing.get()));
                case LOST_ANSWER -> {
                    landing.get();
                    fail(answer, StoreFailure.Kind.UNAVAILABLE);
                }
                case LANDS_LATE -> {
                    late.add(landing::get);
                    fail(answer, StoreFailure.Kind.UNAVAILABLE);
                }
                case REFUSED_CONNECTION -> fail(answer, StoreFailure.Kind.UNAVAILABLE);
                case CONFLICTED -> fail(answer, StoreFailure.Kind.CONFLICTED);
                case THROTTLED -> fail(answer, StoreFailure.Kind.THROTTLED);
                case REFUSED -> fail(answer, StoreFailure.Kind.REFUSED);
                case UNREADABLE -> fail(answer, StoreFailure.Kind.UNREADABLE);
                case SILENT -> {}
            }
        }

        private <T> void answer(CompletableFuture<T> answer, T result) {
            time.in(oneWay.get(), () -> answer.complete(result));
        }

        private void fail(CompletableFuture<?> answer, StoreFailure.Kind kind) {
            answer.completeExceptionally(new StoreFailure(kind, "connection refused", null));
        }
    }
}
