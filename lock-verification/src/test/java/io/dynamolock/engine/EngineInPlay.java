package io.dynamolock.engine;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.util.List;
import java.util.SplittableRandom;

/** An engine with a session, on a loop that runs when a test says so. */
final class EngineInPlay {

    final StoppedTime time = new StoppedTime();
    final SteppedLoop loop = new SteppedLoop();
    final Ends ends = new Ends();
    private final InMemoryLockStore store = new InMemoryLockStore();
    final LockEngine engine =
            LockEngine.on(GrantInPlay.SETTINGS, store, loop, time, new SplittableRandom(1), Runnable::run, ends);

    Grant hold() {
        return hold(GrantInPlay.SPEC);
    }

    /** A grant. */
    Grant hold(AcquireSpec spec) {
        Acquisition acquisition = engine.acquire(spec);
        loop.runAll();
        return ((AcquireOutcome.Granted) acquisition.outcome().join()).grant();
    }

    /** The session is there; nothing is held. */
    EngineInPlay started() {
        hold().release();
        loop.runAll();
        return this;
    }

    Acquisition acquire() {
        return engine.acquire(GrantInPlay.SPEC);
    }

    void shutDown() {
        engine.shutdown();
        loop.runAll();
    }

    boolean isHeldInTheTable() {
        List<Entry> queue = store.lock(GrantInPlay.KEY).queue();
        return !queue.isEmpty() && store.session(queue.get(0).session()).isPresent();
    }

    /** How many blocks stand in the lock's queue, the holder's among them. */
    int queuedInTheTable() {
        return store.lock(GrantInPlay.KEY).queue().size();
    }

    /** The block that holds the lock. */
    BlockId holderInTheTable() {
        return store.lock(GrantInPlay.KEY).queue().get(0).block();
    }

    static String name(Acquisition acquisition) {
        AcquireOutcome outcome = acquisition.outcome().getNow(null);
        return outcome == null ? "no outcome" : outcome.getClass().getSimpleName();
    }
}
