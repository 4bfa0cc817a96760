package io.dynamolock.internal.engine;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.PausableEngine;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine on a loop that runs when a test says so, and perhaps a grant that two threads are to end at once. */
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

    /** Everything else is as it is by default. */
    public static EngineSettings settings(String owner, int maxQueue) {
        return TestSettings.of(
                owner, Duration.ofSeconds(20), Duration.ofMinutes(5), Duration.ofSeconds(4), 32, maxQueue);
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

    /** The session is there; nothing is held. */
    EngineInPlay started() {
        hold().release(null);
        settle();
        ends.forget();
        return this;
    }

    /** As the loop does when the session is lost. */
    public static void lose(Grant grant) {
        ((LockGrant) grant).lose(LossReason.SESSION_LOST);
    }

    /** Has a call back counted. */
    void tellMe(Grant grant) {
        grant.onLost(told::incrementAndGet);
    }

    /** Lets the loop finish. */
    public EngineInPlay settle() {
        loop.runAll();
        return this;
    }

    /** What was heard of the end of a grant. */
    String story() {
        return ends.released + " released; " + ends.lost + " lost; " + told + " told; "
                + engine.held().size() + " held";
    }

    /** What is left of all callers. */
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
