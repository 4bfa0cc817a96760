package io.dynamolock.engine;

import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.QueueView;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** The engine's only door. Thread-safe. */
public final class LockEngine {

    /**
     * @param callbacks runs what users registered on grants
     * @param random for ids and jitter; used on the event loop only
     */
    public LockEngine(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            Executor callbacks,
            EngineListener listener) {
        throw new UnsupportedOperationException("not yet");
    }

    /** Starts to acquire; returns at once. */
    public Acquisition acquire(AcquireSpec spec) {
        throw new UnsupportedOperationException("not yet");
    }

    /** Reads a lock and the first rows of its queue; writes nothing. Fails with a {@code StoreFailure}. */
    public CompletableFuture<QueueView> look(LockKey key, int limit) {
        throw new UnsupportedOperationException("not yet");
    }

    /** The locks this process holds. */
    public List<HeldLock> held() {
        throw new UnsupportedOperationException("not yet");
    }

    /** How many callers of this process wait. */
    public int waiting() {
        throw new UnsupportedOperationException("not yet");
    }

    /**
     * Invalidates every grant at once, ends every wait with {@link AcquireOutcome.Closed}, deletes the session (which frees
     * everything for others) and then stops the event loop. Idempotent. Completes, never exceptionally, when that is done
     * or has been tried for long enough.
     */
    public CompletableFuture<Void> shutdown() {
        throw new UnsupportedOperationException("not yet");
    }
}
