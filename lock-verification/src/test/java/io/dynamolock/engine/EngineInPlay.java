package io.dynamolock.engine;

import io.dynamolock.store.Holder;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.util.SplittableRandom;

/** An engine with a session, on a loop that runs when a test says so. */
final class EngineInPlay {

    final InMemoryLockStore store = new InMemoryLockStore();
    final SteppedLoop loop = new SteppedLoop();
    final Ends ends = new Ends();
    final LockEngine engine = new LockEngine(
            GrantInPlay.SETTINGS, store, loop, new StoppedTime(), new SplittableRandom(1), Runnable::run, ends);

    /** A grant. */
    Grant hold() {
        Acquisition acquisition = acquire();
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
        Holder holder = store.look(GrantInPlay.KEY, 1)
                .toCompletableFuture()
                .join()
                .lock()
                .holder();
        return holder != null
                && store.readSession(holder.claimant().session())
                        .toCompletableFuture()
                        .join()
                        .isPresent();
    }

    int queuedInTheTable() {
        return store.look(GrantInPlay.KEY, 2)
                .toCompletableFuture()
                .join()
                .rows()
                .size();
    }

    static String name(Acquisition acquisition) {
        AcquireOutcome outcome = acquisition.outcome().getNow(null);
        return outcome == null ? "no outcome" : outcome.getClass().getSimpleName();
    }
}
