package io.dynamolock;

import io.dynamolock.internal.Internals;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Grants locks, first come, first served across all processes that share a table. Processes are served in the order of
 * their queue entries; the README says when one caller can overtake another. Thread-safe. One registry for each process
 * and table is enough, and cheaper than several: the locks of one registry share a heartbeat, and its callers pass a
 * lock on to each other without a call to the table.
 *
 * <pre>{@code
 * try (LockRegistry locks = LockRegistry.builder(client).tableName("dynamolock").build();
 *         LockHandle lock = locks.acquire("customer:42", Duration.ofSeconds(10))) {
 *     save(order, lock.fencingToken());
 * }
 * }</pre>
 *
 * <p>Locks are not reentrant, except through {@link #lock(LockRequest)}: if a thread acquires a lock that it already
 * holds, it blocks until the wait ends.
 *
 * <p>All methods that acquire a lock throw, or complete their future with, a {@link LockException} if the caller does
 * not get the lock. That class lists its subclasses and what each means; after any of them, the lock is not held. The
 * methods below name only what is special.
 *
 * <p>All methods that take a key throw {@link IllegalArgumentException}, naming the value, if the key is empty, longer
 * than 2,048 bytes of UTF-8 (less those of the key prefix) or contains an unpaired surrogate, and if a wait is
 * negative.
 *
 * <p>All methods that block may be used from virtual threads. Do not call them in continuations of
 * {@link #acquireAsync} or in other callbacks, unless the registry was given an
 * {@linkplain LockRegistryBuilder#executor executor} with threads to spare.
 */
public interface LockRegistry extends AutoCloseable {

    /**
     * A registry on a DynamoDB table, by a blocking client. It needs less processor time than an asynchronous client;
     * its calls are made on daemon threads, one for each call in flight.
     *
     * @param client the caller closes it, after the registry. It should allow a quarter more connections than {@link
     *     LockRegistryBuilder#maxCallsInFlight}, plus six, in addition to those that its other users need. The registry
     *     retries by itself, and switches the client's retries off for each call
     * @throws InvalidSettingException if the client is a DAX client, whose cache breaks locks
     */
    static LockRegistryBuilder builder(DynamoDbClient client) {
        return Internals.registryBuilder(client);
    }

    /**
     * A registry on a DynamoDB table, by an asynchronous client; otherwise as {@link #builder(DynamoDbClient)}.
     */
    static LockRegistryBuilder builder(DynamoDbAsyncClient client) {
        return Internals.registryBuilder(client);
    }

    /**
     * Waits for the lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE}.
     *
     * @param wait zero fails at once if another caller is ahead; {@link LockRequest#FOREVER} never gives up. If
     *     DynamoDB does not answer, the wait ends at most a second late, with a {@link LockStoreException}, even if the
     *     session has to begin first
     * @throws LockException if the caller does not get the lock; the lock is not held
     */
    default LockHandle acquire(String key, Duration wait) {
        return acquire(LockRequest.of(key).waitTime(wait));
    }

    /**
     * Waits for the lock as long as the request says, or otherwise as long as {@linkplain
     * LockRegistryBuilder#wait(Duration) the registry's builder} says.
     *
     * @throws LockException if the caller does not get the lock; the lock is not held
     */
    LockHandle acquire(LockRequest request);

    /**
     * Takes the lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE} if no caller holds it or waits for it.
     * Waits only for the answer of DynamoDB, and for at most a second, even if the session has to begin first.
     *
     * @return empty if another caller is ahead
     * @throws LockException if it is not known whether another caller is ahead; the lock is not held
     */
    default Optional<LockHandle> tryAcquire(String key) {
        return tryAcquire(LockRequest.of(key));
    }

    /**
     * Waits for the lock as long as the request says, or otherwise not at all.
     *
     * @return empty when the wait is over
     * @throws LockException if the caller does not get the lock for a reason other than the end of the wait; the lock
     *     is not held
     */
    Optional<LockHandle> tryAcquire(LockRequest request);

    /**
     * Acquires the lock without blocking; waits as long as {@link #acquire(LockRequest)} does.
     *
     * <p>The future completes with the handle, or exceptionally with a {@link LockException} as {@link
     * #acquire(LockRequest)} throws it; then the lock is not held. Cancelling this very future, or completing it in any
     * other way, ends the wait; a lock granted at the same moment is released. Cancelling a future <em>derived</em>
     * from it does neither. The code below releases the lock however {@code work} ends. If {@code work} is cancelled,
     * the lock is released at once, although {@code book} may still run: where that matters, keep the future that
     * {@code book} returns, and release the handle when that future completes.
     *
     * <pre>{@code
     * CompletableFuture<LockHandle> lock = locks.acquireAsync(request);
     * CompletableFuture<Receipt> work = lock.thenCompose(handle -> book(handle.fencingToken()));
     * work.whenComplete((receipt, failure) -> {
     *     lock.cancel(false);                        // ends the wait, if it still waits
     *     lock.thenAccept(LockHandle::releaseAsync); // releases the lock if it is held
     * });
     * }</pre>
     *
     * <p>Continuations run on the registry's few threads, or on the {@linkplain LockRegistryBuilder#executor executor}
     * given to the builder. Run continuations that block or take long elsewhere ({@code thenApplyAsync}).
     *
     * @throws LockClosedException if the registry is closed already
     */
    CompletableFuture<LockHandle> acquireAsync(LockRequest request);

    /**
     * Runs the action while holding the lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE}. Waits as
     * {@link #acquire(String, Duration)} does. If that method throws, the action does not run.
     *
     * <p>When the action has ended, the release begins, and this method returns without waiting for it, unless the
     * request or the registry {@linkplain LockRegistryBuilder#awaitRelease(boolean) awaits releases}. If only the
     * answer to the release shows that the lock was lost, because somebody has deleted the lock's item, the callbacks
     * of {@link LockHandle#onLost}, {@link LockEvent.Lost} and a warning in the log report the loss. If the release is
     * awaited, an exception reports it, like any other loss. If the first attempt to write the release fails, the
     * release counts as done, and the rest happens in the background: a loss that is found then is not reported.
     *
     * @return what the action returned
     * @throws LockLostException if the action ran and returned, but the lock is known to be lost by then: others may
     *     have run at the same time. The result of the action is discarded
     * @throws Exception what the action threw; if the lock is known to be lost by then, a {@link LockLostException} is
     *     added to that exception as suppressed. The handle is no longer valid
     */
    default <T> T withLock(String key, Duration wait, Callable<T> action) throws Exception {
        Objects.requireNonNull(action, "action");
        return Internals.<T, Exception>runUnder(acquire(key, wait), lock -> action.call());
    }

    /**
     * As {@link #withLock(String, Duration, Callable)}, for an action without result and without checked exceptions.
     */
    default void withLock(String key, Duration wait, Runnable action) {
        withLock(LockRequest.of(key).waitTime(wait), action);
    }

    /**
     * Runs the action while holding the lock, and gives it the handle. Waits as {@link #acquire(LockRequest)} does. If
     * that method throws, the action does not run. {@link #withLock(String, Duration, Callable)} says how the lock is
     * released, and what happens if it is lost.
     *
     * @return what the action returned
     * @throws E what the action threw
     */
    default <T extends @Nullable Object, E extends Exception> T withLock(LockRequest request, LockedAction<T, E> action)
            throws E {
        Objects.requireNonNull(action, "action");
        return Internals.runUnder(acquire(request), action);
    }

    /** As {@link #withLock(LockRequest, LockedAction)}, for an action without result that needs no handle. */
    default void withLock(LockRequest request, Runnable action) {
        Objects.requireNonNull(action, "action");
        Internals.runUnder(acquire(request), action);
    }

    /**
     * Waits for several locks, and takes all of them or none. They are taken one after the other, in an order that is
     * the same in all processes (by namespace, then by key, as bytes of UTF-8), whatever the order of the requests: so
     * callers whose sets overlap never deadlock, unless they already hold other locks. All waits are counted from the
     * call. Until the last lock is granted, the caller holds the locks before it, and others wait for them.
     *
     * <p>If one lock is not granted, the locks before it are released, all at once, whatever their {@linkplain
     * LockRequest#holdAtLeast(Duration) shortest hold}: nothing has run under them. The {@linkplain LockRequest#data
     * data} of the requests is written when all locks are held. If that fails, no lock is held, and some of the data
     * may be written.
     *
     * @param requests at most one for each lock; each waits as long as {@link #acquire(LockRequest)} waits for it
     * @return a handle for each request, in the order of the requests; each is to be closed
     * @throws IllegalArgumentException if two requests are for the same lock, or the registry cannot serve one of them;
     *     no call is made
     * @throws LockTimeoutException if a wait is over; names the lock that was not free, and how long the whole call has
     *     waited. No lock is held
     * @throws LockLostException if a lock was lost while the call waited for another or wrote data. Then the call ends
     *     at once, however long it would have waited; no lock is held
     * @throws LockException if the caller does not get one of the locks for another reason; no lock is held
     */
    List<LockHandle> acquireAll(Collection<LockRequest> requests);

    /**
     * As {@link #acquireAll}, without blocking. The future completes with the handles in the order of the requests, or
     * exceptionally with what {@code acquireAll} throws; then no lock is held. Cancelling this very future, or
     * completing it in any other way, ends the waits, and releases the locks that were granted. Continuations run where
     * those of {@link #acquireAsync} do.
     *
     * @throws IllegalArgumentException if two requests are for the same lock, or the registry cannot serve one of them
     * @throws LockClosedException if the registry is closed already
     */
    CompletableFuture<List<LockHandle>> acquireAllAsync(Collection<LockRequest> requests);

    /**
     * As {@link #lock(LockRequest)}, in the namespace {@value LockRequest#DEFAULT_NAMESPACE} and without limits.
     *
     * @throws LockClosedException if the registry is closed
     */
    default ThreadLock lock(String key) {
        return lock(LockRequest.of(key));
    }

    /**
     * The lock of this request as a {@link java.util.concurrent.locks.Lock} that is reentrant per thread: see {@link
     * ThreadLock}. It is reentrant together with {@code @DynamoLocked} methods: a thread that holds the lock by one
     * enters the other without acquiring it again. Costs no call and no memory until it is locked.
     *
     * @throws IllegalArgumentException if the request has {@linkplain LockRequest#data data} and is for a reader or a
     *     permit
     * @throws LockClosedException if the registry is closed
     */
    ThreadLock lock(LockRequest request);

    /**
     * The lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE} for readers, which share it, and writers, which
     * do not. The other methods take the same lock as a writer. Costs no call and no memory until a side is used.
     */
    default ReadWriteLocks readWrite(String key) {
        LockRequest request = LockRequest.of(key);
        return new ReadWriteLocks(
                new LockView(this, request.mode(LockMode.SHARED)), new LockView(this, request.downgradable()));
    }

    /**
     * A lock that at most this many callers hold at once, in all processes, first come, first served. The first caller
     * stores the number with the lock; a caller with a different number is refused with {@link LockPermitsException}.
     * Costs no call and no memory until it is used. An acquire and a release cost two writes, and one more each time
     * that the caller's entry has moved up in the queue meanwhile.
     *
     * <p>The fencing tokens of permits usually differ, and rise in the long run. They cannot fence, since there can be
     * several holders.
     *
     * @param permits 1 or more, and not more than {@link LockRegistryBuilder#maxQueue}: each held permit has an entry
     *     in the lock's queue
     * @throws IllegalArgumentException if the number is less than 1. If it is more than {@code maxQueue}, the methods
     *     of the view throw this exception
     */
    default LockView permits(String key, int permits) {
        return new LockView(this, LockRequest.of(key).permits(permits));
    }

    /**
     * Takes part in the election of a leader: in all processes that share the table, at most one candidate of this name
     * leads: the first to have entered the queue. Returns at once; the listener is told when this candidate leads and
     * when it no longer does. Several elections of one name are several candidates, even in one registry, and lead in
     * the order in which they began. A failure of the store is logged, and the candidate tries again after a pause that
     * grows to some ten seconds.
     *
     * @param name what is to be led; the same rules as for keys. It becomes a metric tag: use few different names
     * @throws LockClosedException if the registry is closed
     */
    LeaderElection elect(String name, LeaderListener listener);

    /** Shows operators and frameworks this registry and its locks, and lets them intervene. Costs no call. */
    LockAdmin admin();

    /**
     * Ends the registry in two steps:
     *
     * <ol>
     *   <li>Ends its elections, and waits for their leaders' {@link LeaderListener#resigned}, but no longer than three
     *       {@linkplain LockRegistryBuilder#callTimeout call timeouts}, or 4 seconds and two call timeouts if that is
     *       longer.
     *   <li>Makes every handle invalid at once, ends every wait with {@link LockClosedException}, takes the entries of
     *       this process out of all queues, and deletes its session from the table. This frees all its locks for
     *       others, except those whose {@linkplain LockRequest#holdAtLeast(Duration) shortest hold} is not over. If
     *       entries are still in queues after half a call timeout, because there are thousands of them, the deletion of
     *       the session frees their locks: a new caller then gets such a lock at once, and a caller that has waited for
     *       it gets it within a heartbeat interval. Waits until all this is done, but no longer than one call timeout,
     *       or 4 seconds and one call timeout if the session is just beginning. Does not wait if the session is lost
     *       and the last call to DynamoDB found it unreachable.
     * </ol>
     *
     * <p>If DynamoDB does not answer, others have to wait for the lease. Interrupts do not end this method: the
     * interrupt flag is kept. Idempotent. The DynamoDB client, the store and the executor given to the builder stay
     * open.
     */
    @Override
    void close();
}
