package io.dynamolock.internal.testbed;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistrySurroundings;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.threads.ShutdownHooks;
import io.dynamolock.internal.time.TimeSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts the registry of the code under test on a clock that moves and a store that fails. */
final class TestbedSurroundings extends RegistrySurroundings {

    /** What belongs to the registry; exists once that is built. */
    record Parts(
            LockRegistry registry,
            WatchedEngine engine,
            InMemoryLockStore store,
            TroubledStore troubledStore,
            OtherProcess others,
            EngineSettings settings) {}

    private final MovableTime time;
    private final Consumer<LockAdmin.Held> granted;
    private @Nullable InMemoryLockStore store;
    private @Nullable TroubledStore troubledStore;
    private @Nullable WatchedEngine engine;
    private volatile @Nullable Parts parts;

    TestbedSurroundings(MovableTime time, Consumer<LockAdmin.Held> granted) {
        this.time = time;
        this.granted = granted;
    }

    /** @throws IllegalStateException if no registry was built on this */
    Parts parts() {
        Parts present = parts;
        if (present == null) {
            throw new IllegalStateException(
                    "These TestLocks have no registry: the application has a LockRegistry bean of"
                            + " its own. Leave it out of the test, or use TestLocks.create().");
        }
        return present;
    }

    boolean isBuilt() {
        return parts != null;
    }

    @Override
    protected TimeSource time() {
        return time;
    }

    @Override
    protected EventLoop loop(EventLoop own) {
        return new MovableLoop(own, time);
    }

    @Override
    protected synchronized LockStore store(LockStore given) {
        if (store != null) {
            throw new IllegalStateException("TestLocks are for one LockRegistry, and have one already.");
        }
        if (!(given instanceof InMemoryLockStore inMemory)) {
            throw new IllegalStateException("TestLocks need locks in memory, but these are kept by a "
                    + given.getClass().getSimpleName() + ". Set dynamolock.store=memory for the test.");
        }
        TroubledStore around = new TroubledStore(inMemory, time);
        store = inMemory;
        troubledStore = around;
        return around;
    }

    @Override
    protected synchronized LockEngine engine(LockEngine own) {
        WatchedEngine watched = new WatchedEngine(own, time, granted);
        engine = watched;
        return watched;
    }

    @Override
    protected Runnable callback(Runnable callback) {
        return time.callback(callback);
    }

    /** None: in memory there is nobody to whom a lock would be free, and the time of a test may stand still. */
    @Override
    protected ShutdownHooks shutdownHooks() {
        return task -> () -> {};
    }

    @Override
    protected synchronized void built(LockRegistry registry, EngineSettings settings) {
        if (store != null && troubledStore != null && engine != null) {
            OtherProcess others = new OtherProcess(settings, store, time);
            parts = new Parts(registry, engine, store, troubledStore, others, settings);
        }
    }
}
