package io.dynamolock.internal.engine;

import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.process.PausableEngine;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine on a loop that a test runs step by step, with a grant for two threads to end at once. */
public final class EngineInPlay {

    public static final EngineSettings SETTINGS = settings("stressed", 200);
    static final LockKey KEY = new LockKey("k", "default");
    static final Duration MAX_HOLD = Duration.ofSeconds(10);
    static final AcquireSpec SPEC =
            Specs.exclusive(KEY).waitingForever().maxHold(MAX_HOLD).spec();

    final StoppedTime time = new StoppedTime();
    final SteppedLoop loop = new SteppedLoop();
    final Ends ends = new Ends();
    private final InMemoryLockStore store = new InMemoryLockStore();
    final LockEngine engine = new PausableEngine(SETTINGS, store, loop, time, new SplittableRandom(1), ends);
    private final AtomicInteger told = new AtomicInteger();

    /** All other settings are the defaults. */
    public static EngineSettings settings(String owner, int maxQueue) {
        return TestSettings.of(owner, Duration.ofSeconds(20), Duration.ofSeconds(4), 32, maxQueue);
    }

    /** A grant. */
    public Grant hold() {
        Acquisition acquisition = acquire();
        settle();
        return grant(acquisition);
    }

    static Grant grant(Acquisition acquisition) {
        return ((AcquireOutcome.Granted) acquisition.outcome().join()).grant();
    }

    Acquisition acquire() {
        return engine.acquire(SPEC);
    }

    /** Has begun its session; holds nothing. */
    EngineInPlay started() {
        hold().release(null);
        settle();
        ends.forget();
        return this;
    }

    /** Loses the session, as the loop does. */
    public static void lose(Grant grant) {
        ((LockGrant) grant).lose(LossReason.SESSION_LOST);
    }

    /** A callback that is counted. */
    void tellMe(Grant grant) {
        grant.onLost(told::incrementAndGet);
    }

    /** Runs the loop until it has nothing to do. */
    public EngineInPlay settle() {
        loop.runAll();
        return this;
    }

    /** How the end of a grant was reported. */
    String story() {
        return ends.released + " released; " + ends.lost + " lost; " + told + " told; "
                + engine.held().size() + " held";
    }

    /** What the callers have left behind. */
    String left() {
        LockItem item = store.lock(KEY);
        return item.queue().size() + " queued; " + engine.waiting() + " waiting; " + ends.waits + " heard of";
    }

    static String name(Acquisition acquisition) {
        AcquireOutcome outcome = acquisition.outcome().getNow(null);
        return outcome == null ? "no outcome" : outcome.getClass().getSimpleName();
    }

    static String answer(CompletableFuture<Boolean> release) {
        return release.isDone() ? String.valueOf(release.join()) : "no answer";
    }
}
