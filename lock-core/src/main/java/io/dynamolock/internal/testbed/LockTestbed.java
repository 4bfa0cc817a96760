package io.dynamolock.internal.testbed;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * One registry on the real engine, with locks in memory, whose surroundings a test directs: the clock, the store and
 * the other processes that want its locks. {@code TestLocks} is what users see of it. Thread-safe.
 *
 * <p>A method that causes a lasting condition returns an action that ends the condition; run that action once. No
 * method but {@link #now} may be called on the event loop. Methods that need the registry throw {@link
 * IllegalStateException} until a registry has been built by a builder given to {@link #attachTo}.
 */
public final class LockTestbed implements AutoCloseable {

    private final MovableTime time = new MovableTime();
    private final TestbedSurroundings surroundings;

    /** @param granted hears of each grant to the code under test, before the caller that gets it does */
    public LockTestbed(Consumer<LockAdmin.Held> granted) {
        this.surroundings = new TestbedSurroundings(time, granted);
    }

    /** Builds a registry with locks in memory, for {@link #attachTo}. */
    public static LockRegistryBuilder inMemory() {
        return RegistryBuilder.of(new InMemoryLockStore());
    }

    /**
     * Makes the registry of this builder run on the clock and the store that the test directs. {@code build()} throws
     * {@link IllegalStateException} if the builder's locks are not in memory, or if this testbed has a registry
     * already.
     */
    public void attachTo(LockRegistryBuilder builder) {
        ((RegistryBuilder) builder).on(surroundings);
    }

    /** Whether the registry of this testbed has been built. */
    public boolean isBuilt() {
        return surroundings.isBuilt();
    }

    /** The registry of the code under test. */
    public LockRegistry registry() {
        return parts().registry();
    }

    private TestbedSurroundings.Parts parts() {
        return surroundings.parts();
    }

    private static LockKey lock(String key, String namespace) {
        LockRequest valid = LockRequest.of(key).namespace(namespace);
        return new LockKey(valid.key(), valid.namespace());
    }

    /** How messages name a lock. */
    public static String describe(String key, String namespace) {
        return LockDescription.of(new LockKey(key, namespace));
    }

    // Other processes

    /**
     * Another process takes the lock.
     *
     * @throws IllegalStateException if the lock is not free
     */
    public Runnable occupy(String key, String namespace) {
        return parts().others().occupy(lock(key, namespace));
    }

    /**
     * As {@link #occupy(String, String)}; the other process gives the lock back after a time by the clock of this
     * testbed.
     */
    public Runnable occupy(String key, String namespace, Duration length) {
        return parts().others().occupy(lock(key, namespace), length);
    }

    /** Another process fills the queue of the lock, and holds the lock if it is free. */
    public Runnable fillQueue(String key, String namespace) {
        TestbedSurroundings.Parts parts = parts();
        return Crowd.in(lock(key, namespace), parts.settings(), parts.store(), time);
    }

    /**
     * Another process holds the lock, or stands in its queue, and each wait of the code under test for it is over at
     * once, also one that is under way. A caller that would wait for ever gets an {@link IllegalStateException} when it
     * asks.
     */
    public Runnable timeOut(String key, String namespace) {
        LockKey lock = lock(key, namespace);
        TestbedSurroundings.Parts parts = parts();
        Runnable leaveQueue = parts.others().queue(lock);
        parts.engine().timeOut(lock, OtherProcess.NAME, time.now());
        time.awaitQuiet();
        return () -> {
            parts.engine().timeOutNoMore(lock);
            leaveQueue.run();
        };
    }

    // Losses

    /**
     * Takes the lock from the code under test. Its handles are invalid and its callbacks are told when this returns, if
     * they do not wait for the test.
     *
     * @return false if the code under test does not hold the lock
     */
    public boolean lose(String key, String namespace) {
        return loss().of(lock(key, namespace));
    }

    /**
     * Ends the session of the code under test, and moves the clock until its next heartbeat has found that out.
     *
     * @throws IllegalStateException if it holds no lock
     */
    public void loseSession() {
        loss().ofSession();
    }

    private Loss loss() {
        TestbedSurroundings.Parts parts = parts();
        return new Loss(parts.engine(), parts.store(), time);
    }

    // The store

    /** The store refuses each call of the code under test. */
    public Runnable refuseStore() {
        return trouble(TroubledStore.Trouble.REFUSES);
    }

    /** The store answers no call of the code under test; the calls fail when this ends. */
    public Runnable silenceStore() {
        return trouble(TroubledStore.Trouble.SILENT);
    }

    private Runnable trouble(TroubledStore.Trouble trouble) {
        TroubledStore store = parts().troubledStore();
        store.begin(trouble);
        return () -> {
            store.recover();
            time.awaitQuiet();
        };
    }

    // Time

    /** The wall clock of the locks. */
    public Instant now() {
        return time.now();
    }

    /**
     * Moves the clock ahead. Returns when everything that was due on the way, and what followed from it, has been done.
     */
    public void advance(Duration length) {
        time.advance(length);
    }

    /**
     * Returns when a caller of the code under test waits for the lock, and has its entry in the queue if there is room.
     *
     * @param longest how long to wait for such a caller, in real time
     * @return false if none has come
     */
    public boolean awaitWaiter(String key, String namespace, Duration longest) {
        LockKey lock = lock(key, namespace);
        boolean hasCome = time.await(longest, () -> parts().engine().isWaitedFor(lock));
        if (hasCome) {
            time.awaitQuiet();
        }
        return hasCome;
    }

    // Between two tests. Elections belong to the application, which goes on.

    /** Fails the waits of the code under test, for this reason. Leaves elections alone. */
    public void endWaits(String reason) {
        StoreFailure failure = new StoreFailure(StoreFailure.Kind.REFUSED, reason, null);
        parts().engine().endWaits(key -> !key.isOfElection(), new AcquireOutcome.Failed(Duration.ZERO, failure));
    }

    /**
     * Takes all locks from the code under test and removes them from the store, with what is kept in them. A registry
     * that was paused resumes. Leaves elections alone.
     */
    public void freeLocks() {
        TestbedSurroundings.Parts parts = parts();
        parts.registry().admin().resume();
        time.awaitQuiet();
        loss().ofAll(key -> !key.isOfElection());
    }

    /** Closes the registry, and ends everything. Idempotent. */
    @Override
    public void close() {
        if (isBuilt()) {
            TestbedSurroundings.Parts parts = parts();
            parts.registry().close();
            parts.others().close();
        }
        time.close();
    }
}
