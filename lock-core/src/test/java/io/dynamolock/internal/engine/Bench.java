package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.dynamolock.simulation.Unheard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Processes with engines on one table in memory, by a virtual clock. Each call takes six milliseconds, and is counted. */
final class Bench {

    static final LockKey KEY = new LockKey("key", "default");
    static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration ONE_WAY = Duration.ofMillis(3);

    final VirtualTime time = new VirtualTime();
    final InMemoryLockStore table = new InMemoryLockStore();
    private final SplittableRandom random = new SplittableRandom(1);
    private final List<VirtualTime.Loop> loops = new ArrayList<>();
    private final Map<LockEngine, VirtualTime.Loop> loopOf = new HashMap<>();
    int writes;
    int reads;
    int sessionWrites;
    int sessionReads;

    /** What becomes of calls for which nothing else is said; by default they are answered. */
    Fate fate = Fate.ANSWERED;

    private final List<Special> specials = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();

    /** All calls since the last reset: edits of locks and of sessions, and the names of reads. */
    final List<Object> calls = new ArrayList<>();

    /** What listeners were told, of all processes. */
    final List<String> told = new ArrayList<>();

    /** Kinds of calls. */
    static final Predicate<Object> APPEND =
            call -> call instanceof Edit edit && !edit.appended().isEmpty();

    static final Predicate<Object> REISSUE = call -> call instanceof Edit edit && edit.reissue() != null;
    static final Predicate<Object> REMOVAL =
            call -> call instanceof Edit edit && !edit.removed().isEmpty();
    static final Predicate<Object> READ = "read"::equals;
    static final Predicate<Object> BEGIN = SessionEdit.Begin.class::isInstance;
    static final Predicate<Object> HEARTBEAT = SessionEdit.Heartbeat.class::isInstance;
    static final Predicate<Object> END = SessionEdit.End.class::isInstance;
    static final Predicate<Object> NOTIFY = SessionEdit.Notify.class::isInstance;

    enum Fate {
        ANSWERED(null),
        REFUSED_CONNECTION(StoreFailure.Kind.UNAVAILABLE),
        SILENT(null),
        THROTTLED(StoreFailure.Kind.THROTTLED),
        CONFLICTED(StoreFailure.Kind.CONFLICTED),
        REFUSED(StoreFailure.Kind.REFUSED),
        UNREADABLE(StoreFailure.Kind.UNREADABLE),
        /** Takes effect, and fails. */
        LOST_ANSWER(StoreFailure.Kind.UNAVAILABLE),
        /** Fails, and takes effect when {@link #landLate()} says so. */
        LANDS_LATE(StoreFailure.Kind.UNAVAILABLE),
        /** Takes effect, is answered, and takes effect again when {@link #landLate()} says so. */
        LANDS_TWICE(null),
        /** Takes effect and is answered when {@link #heal()} says so. */
        STALLS(null),
        /** Takes effect, and is answered when {@link #heal()} says so. */
        SLOW_ANSWER(null);

        private final StoreFailure.@Nullable Kind failure;

        Fate(StoreFailure.@Nullable Kind failure) {
            this.failure = failure;
        }
    }

    private static final class Special {

        private final Predicate<Object> calls;
        private final Fate fate;
        private int times;

        Special(Predicate<Object> calls, Fate fate, int times) {
            this.calls = calls;
            this.fate = fate;
            this.times = times;
        }
    }

    /** What becomes of the next such calls. */
    void next(Predicate<Object> some, Fate fate, int times) {
        specials.add(new Special(some, fate, times));
    }

    void next(Predicate<Object> some, Fate fate) {
        next(some, fate, 1);
    }

    void always(Predicate<Object> some, Fate fate) {
        next(some, fate, Integer.MAX_VALUE);
    }

    private Fate fateOf(Object call) {
        for (Special special : specials) {
            if (special.times > 0 && special.calls.test(call)) {
                special.times--;
                return special.fate;
            }
        }
        return fate;
    }

    /** Calls are answered again, also those that were kept. */
    void heal() {
        fate = Fate.ANSWERED;
        specials.clear();
        List<Runnable> kept = List.copyOf(held);
        held.clear();
        kept.forEach(Runnable::run);
    }

    /** @return how many calls have taken effect late */
    int landLate() {
        List<Runnable> landing = List.copyOf(late);
        late.clear();
        landing.forEach(Runnable::run);
        return landing.size();
    }

    /** How many calls are kept. */
    int kept() {
        return held.size();
    }

    long count(Predicate<Object> some) {
        return calls.stream().filter(some).count();
    }

    /** Another process. */
    LockEngine process() {
        VirtualTime.Loop loop = time.new Loop();
        loops.add(loop);
        LockEngine process =
                new PausableEngine(settings(), new CountedStore(), loop, time, random.split(), new Heard());
        loopOf.put(process, loop);
        return process;
    }

    void die(LockEngine process) {
        loopOf.get(process).die();
    }

    /** Nothing happens in the process for so long. */
    void freeze(LockEngine process, Duration some) {
        loopOf.get(process).freeze(some);
    }

    /** The last process that was made dies, as by a power cut. */
    void die() {
        loops.get(loops.size() - 1).die();
    }

    void dieFirst() {
        loops.get(0).die();
    }

    private EngineSettings settings() {
        return new EngineSettings(
                "process-" + loops.size(),
                LEASE,
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                Duration.ofMillis(10),
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ofMinutes(5),
                Duration.ofSeconds(2),
                50,
                Duration.ofDays(7),
                200);
    }

    static AcquireSpec spec(Kind kind, Duration wait) {
        return new AcquireSpec(KEY, "bench", wait, null, null, kind, kind == Kind.PERMIT ? 100 : 0, false);
    }

    static AcquireSpec exclusive() {
        return spec(Kind.EXCLUSIVE, Duration.ofMinutes(1));
    }

    /** The grant, which is waited for. */
    Grant granted(Acquisition acquisition) {
        time.advanceUntil(acquisition.outcome()::isDone, Duration.ofMinutes(2));
        return grant(acquisition);
    }

    static Grant grant(Acquisition acquisition) {
        AcquireOutcome outcome = acquisition.outcome().getNow(null);
        if (outcome instanceof AcquireOutcome.Granted granted) {
            return granted.grant();
        }
        throw new AssertionError("not granted: " + outcome);
    }

    Grant grant(LockEngine process) {
        return granted(process.acquire(exclusive()));
    }

    void release(Grant grant) {
        CompletableFuture<Boolean> released = grant.release(null);
        time.advanceUntil(released::isDone, Duration.ofMinutes(1));
    }

    void advance(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    /** A process whose session has begun. */
    LockEngine begun() {
        LockEngine process = process();
        release(grant(process));
        advance(100);
        reset();
        return process;
    }

    /** The same while another process holds the lock. */
    LockEngine begunBeside() {
        LockEngine process = process();
        LockKey other = new LockKey("other", "default");
        release(granted(process.acquire(
                new AcquireSpec(other, "bench", Duration.ofMinutes(1), null, null, Kind.EXCLUSIVE, 0, false))));
        reset();
        return process;
    }

    /** Releases each grant as soon as it is made. */
    static void releaseAtOnce(Acquisition acquisition) {
        acquisition.outcome().thenAccept(outcome -> {
            if (outcome instanceof AcquireOutcome.Granted granted) {
                granted.grant().release();
            }
        });
    }

    /** How it has ended; {@code null} if it has not. */
    static @Nullable AcquireOutcome outcome(Acquisition acquisition) {
        return acquisition.outcome().getNow(null);
    }

    static boolean isGranted(Acquisition acquisition) {
        return outcome(acquisition) instanceof AcquireOutcome.Granted;
    }

    static boolean isTimedOut(Acquisition acquisition) {
        return outcome(acquisition) instanceof AcquireOutcome.TimedOut;
    }

    List<Entry> queue() {
        return table.lock(KEY).queue();
    }

    /** The result, which is waited for. */
    <T> T get(CompletableFuture<T> result) {
        assertThat(time.advanceUntil(result::isDone, Duration.ofMinutes(2))).isTrue();
        return result.join();
    }

    void reset() {
        calls.clear();
        writes = 0;
        reads = 0;
        sessionWrites = 0;
        sessionReads = 0;
        told.clear();
    }

    private final class CountedStore implements LockStore {

        @Override
        public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, Instant now) {
            writes++;
            return call(
                    edit, () -> table.edit(key, edit, now).toCompletableFuture().join());
        }

        @Override
        public CompletionStage<LockItem> read(LockKey key, boolean consistent) {
            reads++;
            return call("read", () -> table.lock(key));
        }

        @Override
        public CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, Instant now) {
            sessionWrites++;
            return call(
                    edit, () -> table.edit(id, edit, now).toCompletableFuture().join());
        }

        @Override
        public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
            return call(
                    "list", () -> table.locks(key, after).toCompletableFuture().join());
        }

        @Override
        public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
            sessionReads++;
            return call(
                    "sessions", () -> table.sessions(ids).toCompletableFuture().join());
        }

        private <T> CompletionStage<T> call(Object what, Supplier<T> landing) {
            calls.add(what);
            CompletableFuture<T> answer = new CompletableFuture<>();
            time.in(ONE_WAY, () -> {
                Fate its = fateOf(what);
                switch (its) {
                    case ANSWERED -> answer(answer, landing.get());
                    case SILENT -> {}
                    case STALLS -> held.add(() -> answer(answer, landing.get()));
                    case SLOW_ANSWER -> {
                        T result = landing.get();
                        held.add(() -> answer(answer, result));
                    }
                    case LANDS_TWICE -> {
                        answer(answer, landing.get());
                        late.add(landing::get);
                    }
                    default -> {
                        if (its == Fate.LOST_ANSWER || its == Fate.UNREADABLE) {
                            landing.get();
                        } else if (its == Fate.LANDS_LATE) {
                            late.add(landing::get);
                        }
                        answer.completeExceptionally(
                                new StoreFailure(Objects.requireNonNull(its.failure), "as the test wants it", null));
                    }
                }
            });
            return answer;
        }

        private <T> void answer(CompletableFuture<T> answer, T result) {
            time.in(ONE_WAY, () -> answer.complete(result));
        }
    }

    private final class Heard extends Unheard {

        @Override
        public void queued(AcquireSpec spec, long number, long ahead) {
            told.add("queued behind " + ahead);
        }

        @Override
        public void acquired(AcquireSpec spec, long number, Duration waited, boolean wasQueued) {
            told.add("acquired" + (wasQueued ? " in the queue" : ""));
        }

        @Override
        public void timedOut(AcquireSpec spec, Duration waited) {
            told.add("timed out");
        }

        @Override
        public void evicted(AcquireSpec spec, Duration waited) {
            told.add("evicted");
        }

        @Override
        public void abandoned(AcquireSpec spec, Duration waited) {
            told.add("abandoned");
        }

        @Override
        public void released(AcquireSpec spec, long number, Duration held) {
            told.add("released");
        }

        @Override
        public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
            told.add("lost after " + held.toSeconds() + " s: " + reason);
        }

        @Override
        public void sessionLost(SessionId session) {
            told.add("session lost");
        }
    }
}
