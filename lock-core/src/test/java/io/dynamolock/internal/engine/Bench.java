package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
    int writes;
    int reads;
    int sessionWrites;
    int sessionReads;

    /** What becomes of calls; by default they are answered. */
    Fate fate = Fate.ANSWERED;

    enum Fate {
        ANSWERED,
        REFUSED_CONNECTION,
        SILENT
    }

    /** Another process. */
    LockEngine process() {
        return process(new Unheard());
    }

    LockEngine process(EngineListener listener) {
        VirtualTime.Loop loop = time.new Loop();
        loops.add(loop);
        return new PausableEngine(settings(), new CountedStore(), loop, time, random.split(), listener);
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

    void reset() {
        writes = 0;
        reads = 0;
        sessionWrites = 0;
        sessionReads = 0;
    }

    private final class CountedStore implements LockStore {

        @Override
        public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, Instant now) {
            writes++;
            return call(() -> table.edit(key, edit, now).toCompletableFuture().join());
        }

        @Override
        public CompletionStage<LockItem> read(LockKey key, boolean consistent) {
            reads++;
            return call(() -> table.lock(key));
        }

        @Override
        public CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, Instant now) {
            sessionWrites++;
            return call(() -> table.edit(id, edit, now).toCompletableFuture().join());
        }

        @Override
        public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
            return call(() -> table.locks(key, after).toCompletableFuture().join());
        }

        @Override
        public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
            sessionReads++;
            return call(() -> table.sessions(ids).toCompletableFuture().join());
        }

        private <T> CompletionStage<T> call(Supplier<T> landing) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            time.in(ONE_WAY, () -> {
                if (fate == Fate.ANSWERED) {
                    T result = landing.get();
                    time.in(ONE_WAY, () -> answer.complete(result));
                } else if (fate == Fate.REFUSED_CONNECTION) {
                    answer.completeExceptionally(
                            new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "connection refused", null));
                }
            });
            return answer;
        }
    }
}
