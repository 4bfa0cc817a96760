package io.dynamolock.internal.process;

import io.dynamolock.LockAdmin;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.engine.ValidSession;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.StoreFailure;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
     * Reads a page of locks and the sessions of those in their queues; writes nothing. Ends as {@link #inspect} does.
     *
     * @param key whose locks, in all namespaces; {@code null} for all locks there are
     * @param after where the page before ended; {@code null} for the first
     */
    CompletableFuture<InspectionPage> list(@Nullable String key, LockPage.@Nullable Mark after);

    /**
     * Gives a lock so many permits, for all processes; one write. Those who hold more permits than that keep them. Ends as
     * {@link #inspect} does.
     */
    CompletableFuture<Void> resize(LockKey key, int permits);

    /**
     * Has an entry in a lock's queue given up by the process whose it is; one read, and one write if that is another process. Ends as
     * {@link #inspect} does, with whether the entry is there and its process is told; if it fails, that may have been told all the same.
     *
     * @param entry its {@linkplain io.dynamolock.internal.protocol.Entry#id() id}
     */
    CompletableFuture<Boolean> evict(LockKey key, String entry);

    /** The valid grants of this process, longest held first. */
    List<Grant> held();

    /** The valid grants of this process for that lock, in no order. */
    List<Grant> held(LockKey key);

    /** The clocks by which it counts. */
    TimeSource time();

    /** What is wrong with this machine's clock, by the time of the store's latest answer. */
    Optional<String> clockProblem();

    /** How many callers of this process wait. */
    int waiting();

    /** The callers of this process that wait, longest first. */
    List<LockAdmin.Waiter> waiters();

    /** The session of this process, while it has a valid one. */
    Optional<ValidSession> session();

    /**
     * Invalidates every grant at once, by {@link LossReason#PAUSED}, takes what stands in queues out of them but for what is
     * {@linkplain AcquireSpec#holdAtLeast() to be kept}, deletes the session, and then calls the store no more, but for what people ask
     * for, until it {@linkplain #resume() resumes}. Callers wait on, and new ones wait; those that do not wait at all end with
     * {@link AcquireOutcome.Paused}. Idempotent; does nothing after a shutdown. Completes, never exceptionally, when no call is under way
     * or that was tried for long enough, or when it resumes.
     */
    CompletableFuture<Void> pause();

    /** Ends the pause, if there is one: those who wait ask anew, in their order, under a new session. */
    void resume();

    /**
     * Invalidates every grant at once, ends every wait with {@link AcquireOutcome.Closed}, takes what stands in queues out of them but for
     * what is {@linkplain AcquireSpec#holdAtLeast() to be kept}, deletes the session and then stops the event loop. Idempotent. Completes,
     * never exceptionally, when that is done or has been tried for long enough.
     */
    CompletableFuture<Void> shutdown();
}
