package io.dynamolock.internal.process;

import io.dynamolock.LockAdmin;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.ValidSession;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The engine as a registry sees it: locks for the callers of one process, with pauses between. Thread-safe. */
public interface LockEngine {

    /** Starts to acquire; returns at once. */
    Acquisition acquire(AcquireSpec spec);

    /**
     * Reads a lock and the sessions of the processes in its queue; writes nothing. The future fails with a {@link
     * StoreFailure}, or with an {@link IllegalStateException} after a shutdown. It is completed on the event loop.
     */
    CompletableFuture<Inspection> inspect(LockKey key);

    /**
     * Reads a page of locks and the sessions of the processes in their queues; writes nothing. The future ends as that
     * of {@link #inspect} does.
     *
     * @param key the key whose locks are read, in all namespaces; {@code null} for all locks of the table
     * @param after where the page before ended; {@code null} for the first page
     */
    CompletableFuture<InspectionPage> list(@Nullable String key, LockPage.@Nullable Mark after);

    /**
     * Gives a lock this number of permits, for all processes, by one write. Permits that are held beyond this number
     * stay held. The future ends as that of {@link #inspect} does.
     */
    CompletableFuture<Void> resize(LockKey key, int permits);

    /**
     * Has an entry in a lock's queue given up by the process whose it is; one read, and one write if that is another
     * process. Ends as {@link #inspect} does, with whether the entry is there and its process is told; if it fails,
     * that may have been told all the same.
     *
     * @param entry its {@linkplain io.dynamolock.internal.protocol.Entry#id() id}
     */
    CompletableFuture<Boolean> evict(LockKey key, String entry);

    /** The valid grants of this process, beginning with the one held longest. */
    List<Grant> held();

    /** The valid grants of this process for this lock, in no particular order. */
    List<Grant> held(LockKey key);

    /** The clocks of this engine. */
    TimeSource time();

    /** What is wrong with this machine's clock, by the time of the store's latest answer. */
    Optional<String> clockProblem();

    /** How many callers of this process wait for a lock. */
    int waiting();

    /** The callers of this process that wait for a lock, longest first. */
    List<LockAdmin.Waiter> waiters();

    /** The session of this process; empty if there is no valid one. */
    Optional<ValidSession> session();

    /**
     * Pauses until {@link #resume()}: invalidates every grant at once, by {@link LossReason#PAUSED}, takes the entries
     * of this process out of all queues, except those with a {@linkplain AcquireSpec#holdAtLeast() shortest hold} that
     * is not over, and deletes the session. After that the store is called only for inspections and other things that
     * people ask for. Callers that wait go on waiting, and new callers wait; callers that do not wait at all end with
     * {@link AcquireOutcome.Paused}. Idempotent. Does nothing after a shutdown.
     *
     * @return completes, never exceptionally, when no call is under way, when that has taken too long, or when the
     *     pause ends
     */
    CompletableFuture<Void> pause();

    /**
     * Ends the pause, if there is one: callers that wait enter the queues again, in their order, under a new session.
     */
    void resume();

    /**
     * Invalidates every grant at once, ends every wait with {@link AcquireOutcome.Closed}, takes the entries of this
     * process out of all queues, except those with a {@linkplain AcquireSpec#holdAtLeast() shortest hold} that is not
     * over, deletes the session, and then stops the event loop. Idempotent.
     *
     * @return completes, never exceptionally, when all of this is done or has taken too long
     */
    CompletableFuture<Void> shutdown();
}
