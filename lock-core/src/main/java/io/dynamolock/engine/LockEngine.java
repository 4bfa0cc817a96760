package io.dynamolock.engine;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.store.LockPage;
import io.dynamolock.store.LockStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Locks for the callers of one process. Thread-safe. */
public interface LockEngine {

    /** Starts to acquire; returns at once. */
    Acquisition acquire(AcquireSpec spec);

    /**
     * Reads a lock and the sessions of those in its queue; writes nothing. Fails with a {@link StoreFailure}, or with an
     * {@link IllegalStateException} after a shutdown. Completed on the event loop.
     */
    CompletableFuture<Inspection> inspect(LockKey key);

    /**
     * Gives a lock so many permits, for all processes; one write. Those who hold more permits than that keep them. Fails
     * with a {@link StoreFailure}, or with an {@link IllegalStateException} after a shutdown. Completed on the event loop.
     */
    CompletableFuture<Void> resize(LockKey key, int permits);

    /**
     * Has a place in a lock's queue given up by the process that has it; one read, and one write if that is another process.
     * Ends as {@link #inspect} does, with whether the place is there and its process is told; if it fails, that may have been
     * told all the same.
     */
    CompletableFuture<Boolean> evict(LockKey key, BlockId place);

    /**
     * Reads a page of locks and the sessions of those in their queues; writes nothing. Ends as {@link #inspect} does.
     *
     * @param key whose locks, in all namespaces; {@code null} for all locks there are
     * @param after where the page before ended; {@code null} for the first
     */
    CompletableFuture<InspectionPage> list(@Nullable String key, LockPage.@Nullable Mark after);

    /** The valid grants of this process, longest held first. */
    List<Grant> held();

    /** Whether the grant is one of this engine's and neither released nor lost. */
    boolean knows(Grant grant);

    /** Notes which thread has taken a grant, or that none has: 0. The engine makes nothing of it, and forgets it with the grant. */
    void note(Grant grant, long thread);

    /** The valid grants of a lock that were last noted for this thread. */
    List<Grant> notedFor(long thread, LockKey key);

    /** The clocks by which it counts. */
    TimeSource time();

    /** What is wrong with this machine's clock, by the time of the store's latest answer. */
    default Optional<String> clockProblem() {
        return Optional.empty();
    }

    /** How many callers of this process wait. */
    int waiting();

    /** The callers of this process that wait, longest first. */
    List<WaitingCall> waiters();

    /** The session of this process, while it has a valid one. */
    Optional<OwnSession> session();

    /**
     * Invalidates every grant at once, by {@link LossReason#PAUSED}, takes what stands in queues out of them but for what is
     * {@linkplain AcquireSpec#holdAtLeast() to be kept}, deletes the session, and then calls the store no more, but for
     * {@link #inspect}, {@link #list} and {@link #resize}, until it {@linkplain #resume() resumes}. Callers wait on, and new ones
     * wait; those that do not wait at all end with {@link AcquireOutcome.Paused}. Idempotent; does nothing after a shutdown.
     * Completes, never exceptionally, when no call is under way or that was tried for long enough, or when it resumes.
     */
    CompletableFuture<Void> pause();

    /** Ends the pause, if there is one: those who wait ask anew, in their order, under a new session. */
    void resume();

    /**
     * Invalidates every grant at once, ends every wait with {@link AcquireOutcome.Closed}, takes what stands in queues out
     * of them but for what is {@linkplain AcquireSpec#holdAtLeast() to be kept}, deletes the session and then stops the
     * event loop. Idempotent. Completes, never exceptionally, when that is done or has been tried for long enough.
     */
    CompletableFuture<Void> shutdown();

    /**
     * An engine of which all lock state is confined to one event loop. The loop runs small, non-blocking steps: a user's
     * call, a store's answer or a timer comes in; state changes; store calls and timers go out.
     *
     * @param callbacks tells of losses; if it does so at once, what it runs must not block or run a user's code
     * @param random for ids and jitter; used on the event loop only; ids must not repeat across processes
     */
    static LockEngine on(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            Executor callbacks,
            EngineListener listener) {
        return new LoopEngine(settings, store, loop, time, random, callbacks, listener);
    }
}
