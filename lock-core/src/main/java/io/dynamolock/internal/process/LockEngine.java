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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The engine as a registry sees it: it gets locks for the callers of one process, and can be paused. Thread-safe. */
public interface LockEngine {

    /** Starts to acquire; returns at once. */
    Acquisition acquire(AcquireSpec spec);

    /**
     * Reads a lock and the sessions of the processes in its queue; writes nothing. The future fails with a {@link
     * StoreFailure}, or with an {@link IllegalStateException} after a shutdown. It is completed on the event loop.
     */
    CompletableFuture<Inspection> inspect(LockKey key);

    /**
     * Reads a page of locks and the sessions of the processes in their queues; writes nothing. The future fails as the
     * future of {@link #inspect} does.
     *
     * @param key the key whose locks are read, in all namespaces; {@code null} for all locks of the table
     * @param after where the page before ended; {@code null} for the first page
     */
    CompletableFuture<InspectionPage> list(@Nullable String key, LockPage.@Nullable Mark after);

    /**
     * Gives a lock this number of permits, for all processes, by one write. Permits that are held beyond this number
     * stay held. The future fails as the future of {@link #inspect} does.
     */
    CompletableFuture<Void> resize(LockKey key, int permits);

    /**
     * Tells the process of an entry in a lock's queue to evict the entry, and looks again until the effect shows or it
     * is time to give up. Costs reads, and one write if that is another process. The future completes with whether the
     * entry is gone and its process, if that still holds the lock, has heard of the eviction. It fails as the future of
     * {@link #inspect} does; even then, the process may have been told.
     *
     * @param entry the entry's {@linkplain io.dynamolock.internal.protocol.Entry#id() id}
     * @param operator who asks, for the logs; empty if nobody is named
     */
    CompletableFuture<Boolean> evict(LockKey key, String entry, String operator);

    /** The valid grants of this process, longest held first. */
    List<Grant> held();

    /** The valid grants of this process for this lock, in no particular order. */
    List<Grant> held(LockKey key);

    /** The clocks of this engine. */
    TimeSource time();

    /** What is wrong with this machine's clock, as compared with the store's last; empty if nothing is. */
    Optional<String> clockProblem();

    /** How many callers of this process wait for a lock. */
    int waiting();

    /** The callers of this process that wait for a lock, longest first. */
    List<LockAdmin.Waiter> waiters();

    /** The session of this process; empty if there is no valid one. */
    Optional<ValidSession> session();

    /**
     * Pauses until {@link #resume()}. Every grant is lost at once, as {@link LossReason#PAUSED}. The entries of this
     * process are taken out of all queues, except entries with a {@linkplain AcquireSpec#holdAtLeast() shortest hold}
     * that is not over, and the session is deleted. After that the store is called only for what people ask for, such
     * as inspections. Callers that wait go on waiting, and new callers wait. A caller that does not wait gets {@link
     * AcquireOutcome.Paused}. Idempotent. Does nothing after a shutdown.
     *
     * @return completes, never exceptionally, when no call is under way any more, when the engine has stopped waiting
     *     for that, or when the pause ends
     */
    CompletableFuture<Void> pause();

    /**
     * Ends the pause, if there is one. Callers that wait enter the queues again, in their order, under a new session.
     */
    void resume();

    /**
     * Lets nobody wait any longer than this, for good: then every wait ends with {@link AcquireOutcome.Closed}, and
     * whoever comes later gets its lock at once or not at all. Grants stay. Candidates of elections go on waiting.
     */
    void endWaitsAfter(Duration longest);

    /**
     * Ends the engine, for good. Every grant is lost at once, as {@link LossReason#CLOSED}, and every wait ends with
     * {@link AcquireOutcome.Closed}. The entries of this process are taken out of all queues, except entries with a
     * {@linkplain AcquireSpec#holdAtLeast() shortest hold} that is not over, the session is deleted, and then the event
     * loop stops. Idempotent.
     *
     * @return completes, never exceptionally, when this is done or has taken too long
     */
    CompletableFuture<Void> shutdown();
}
