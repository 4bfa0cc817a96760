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
 * their queue entries; the README says when one caller can pass another. Thread-safe; one for each process and table is
 * enough, and cheaper than several: the locks of one registry share a heartbeat, and its callers pass a lock on to each
 * other without a call to the table.
 *
 * <pre>{@code
 * try (LockRegistry locks = LockRegistry.builder(client).tableName("dynamolock").build();
 *         LockHandle lock = locks.acquire("customer:42", Duration.ofSeconds(10))) {
 *     save(order, lock.fencingToken());
 * }
 * }</pre>
 *
 * <p>Locks are not reentrant, except through {@link #lock(LockRequest)}: a thread that holds a lock and acquires it again
 * waits for itself.
 *
 * <p>All methods that take a key throw {@link IllegalArgumentException}, naming the value, if a key is empty, longer
 * than 2,048 bytes of UTF-8 (less those of the key prefix) or contains an unpaired surrogate, and if a wait is
 * negative.
 *
 * <p>All methods that block may be used from virtual threads. Do not call them in continuations of
 * {@link #acquireAsync} or in other callbacks, unless the registry was given an
 * {@linkplain LockRegistryBuilder#executor executor} with threads to spare.
 */
public interface LockRegistry extends AutoCloseable {

    /**
     * A registry on a DynamoDB table, by a client that blocks. It needs less processor time than the other kind; its
     * calls are made on daemon threads, one for each call in flight.
     *
     * @param client stays the caller's to close, after the registry. It should allow a quarter more connections than
     *     {@link LockRegistryBuilder#maxCallsInFlight}, plus eight. The registry retries by itself and switches the
     *     client's retries off for each call; a client without retries saves that
     */
    static LockRegistryBuilder builder(DynamoDbClient client) {
        return Internals.registryBuilder(client);
    }

    /** A registry on a DynamoDB table, by a client that does not block; else as {@link #builder(DynamoDbClient)}. */
    static LockRegistryBuilder builder(DynamoDbAsyncClient client) {
        return Internals.registryBuilder(client);
    }

    /**
     * Waits for the lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE}.
     *
     * @param wait zero fails at once if another caller is ahead; {@link LockRequest#FOREVER} never gives up. If DynamoDB
     *     does not answer, the wait ends at most a second late, with a {@link LockStoreException}, even if the session has
     *     to begin first
     * @throws LockTimeoutException if the wait is over; the lock is not held
     * @throws LockEvictedException if an operator took the caller out of the queue; the lock is not held
     * @throws LockPausedException if the registry is {@linkplain LockAdmin#pause paused} and the caller does not wait; the lock is
     *     not held
     * @throws LockInterruptedException if the thread is interrupted, also before the call; the lock is not held
     * @throws LockStoreException if DynamoDB refused, or could not be reached while the wait lasted; the lock is not
     *     held
     * @throws LockClosedException if the registry is closed, also during the wait; the lock is not held
     */
    default LockHandle acquire(String key, Duration wait) {
        return acquire(LockRequest.of(key).waitTime(wait));
    }

    /**
     * Waits for the lock as long as the request says, or as long as
     * {@linkplain LockRegistryBuilder#wait(Duration) requests of the registry} do if it says nothing. Throws what
     * {@link #acquire(String, Duration)} throws, and further:
     *
     * @throws LockNotFoundException if the request wants an {@linkplain LockRequest#onlyIfExists() existing} lock and there is
     *     none; the lock is not held
     * @throws LockPermitsException if the request wants a {@linkplain LockRequest#permits(int) permit} and the lock has another
     *     number of them; the lock is not held
     * @throws LockLostException if the lock was lost while the request's {@linkplain LockRequest#data data} was written
     */
    LockHandle acquire(LockRequest request);

    /**
     * Takes the lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE} if no caller holds it or waits for it.
     * Waits only for the answer of DynamoDB, and for at most a second, even if the session has to begin first.
     *
     * @return empty if another caller is ahead
     * @throws LockEvictedException if an operator took the caller out of the queue; the lock is not held
     * @throws LockPausedException if the registry is {@linkplain LockAdmin#pause paused} and the caller does not wait; the lock is
     *     not held
     * @throws LockInterruptedException if the thread is interrupted, also before the call; the lock is not held
     * @throws LockStoreException if DynamoDB refused or could not be reached; the lock is not held
     * @throws LockClosedException if the registry is closed; the lock is not held
     */
    default Optional<LockHandle> tryAcquire(String key) {
        return tryAcquire(LockRequest.of(key));
    }

    /**
     * Waits for the lock as long as the request says, or not at all if it says nothing. Throws what
     * {@link #tryAcquire(String)} throws, and further:
     *
     * @return empty when the wait is over
     * @throws LockNotFoundException if the request wants an {@linkplain LockRequest#onlyIfExists() existing} lock and there is
     *     none; the lock is not held
     * @throws LockPermitsException if the request wants a {@linkplain LockRequest#permits(int) permit} and the lock has another
     *     number of them; the lock is not held
     * @throws LockLostException if the lock was lost while the request's {@linkplain LockRequest#data data} was written
     */
    Optional<LockHandle> tryAcquire(LockRequest request);

    /**
     * Acquires the lock without blocking; waits as long as {@link #acquire(LockRequest)} does.
     *
     * <p>The future completes with the handle, or exceptionally with {@link LockTimeoutException},
     * {@link LockEvictedException}, {@link LockPausedException}, {@link LockNotFoundException},
     * {@link LockPermitsException}, {@link LockLostException}, {@link LockStoreException} or {@link LockClosedException}, as
     * {@link #acquire(LockRequest)} throws them; the lock is not held then. Cancelling this very future, or completing
     * it in any other way, ends the wait, and a lock granted in the same moment is released. Cancelling a future
     * <em>derived</em> from it does neither by itself. The code below gives the lock back however {@code work} ends. If
     * {@code work} is cancelled, that happens at once, although what {@code book} has begun goes on: where that
     * matters, keep the future that {@code book} returns, and release the handle when it ends.
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
     * it was given. Let continuations that block or take long run elsewhere ({@code thenApplyAsync}).
     *
     * @throws LockClosedException if the registry is closed already
     */
    CompletableFuture<LockHandle> acquireAsync(LockRequest request);

    /**
     * Runs the action while holding the lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE}. Waits as
     * {@link #acquire(String, Duration)} does, and throws what that throws; then the action did not run.
     *
     * @return what the action returned
     * @throws LockLostException if the action ran and returned, but the lock was lost meanwhile: others may have run at
     *     the same time. Its result is dropped
     * @throws Exception what the action threw; if the lock was lost meanwhile, a {@link LockLostException} is added to
     *     it as suppressed. The lock is not held any more
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
     * Runs the action while holding the lock, and gives it the handle. Waits as {@link #acquire(LockRequest)} does, and
     * throws what that throws; then the action did not run. {@link #withLock(String, Duration, Callable)} says what
     * happens if the lock is lost.
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
     * Waits for several locks, and takes all of them or none. They are taken one after the other, in an order that is the same
     * in all processes (by namespace, then by key, as bytes of UTF-8), whatever the order of the requests: so callers whose sets
     * overlap never wait for each other in a circle, unless they hold other locks already. All waits are counted from the call.
     * Until the last lock is granted the caller holds those before it, and makes others wait for them.
     *
     * <p>If one is not granted, those before it are released, all at once, whatever their
     * {@linkplain LockRequest#holdAtLeast(Duration) shortest hold}: nothing has run under them. The {@linkplain LockRequest#data
     * data} of the requests is written when all locks are held. If that fails, none is held, and some of the data may be written.
     *
     * @param requests at most one for each lock; each waits as long as {@link #acquire(LockRequest)} waits for it
     * @return a handle for each request, in the order of the requests; each is to be closed
     * @throws IllegalArgumentException if two requests are for the same lock, or one cannot be made; no call is made
     * @throws LockTimeoutException if a wait is over; it names the lock that was not free and how long the whole call has
     *     waited, and none is held
     * @throws LockNotFoundException if a request wants an {@linkplain LockRequest#onlyIfExists() existing} lock and there is
     *     none; none is held
     * @throws LockPermitsException if a request wants a {@linkplain LockRequest#permits(int) permit} and the lock has another
     *     number of them; none is held
     * @throws LockLostException if a lock was lost while the call waited for another; none is held
     * @throws LockInterruptedException if the thread is interrupted, also before the call; none is held
     * @throws LockEvictedException if an operator took the caller out of the queue of one of them; none is held
     * @throws LockPausedException if the registry is {@linkplain LockAdmin#pause paused} and the caller does not wait; none is
     *     held
     * @throws LockStoreException if DynamoDB refused, or could not be reached while the wait lasted; none is held
     * @throws LockClosedException if the registry is closed, also during the wait; none is held
     */
    List<LockHandle> acquireAll(Collection<LockRequest> requests);

    /**
     * As {@link #acquireAll}, without blocking. The future completes with the handles in the order of the requests, or
     * exceptionally with what {@code acquireAll} throws, but for interrupts; none is held then. Cancelling this very future, or
     * completing it in any other way, ends the waits, and gives back what was granted. Continuations run where those of
     * {@link #acquireAsync} do.
     *
     * @throws IllegalArgumentException if two requests are for the same lock, or one cannot be made
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
     * The lock of this request as a {@link java.util.concurrent.locks.Lock} that is reentrant per thread: see
     * {@link ThreadLock}. It is reentrant together with {@code @DynamoLocked} methods: a thread that holds the lock by
     * either enters the other without acquiring it again. No call is made, and nothing kept, until the view is locked.
     *
     * @throws IllegalArgumentException if the request has {@linkplain LockRequest#data data} and is not for the caller alone
     * @throws LockClosedException if the registry is closed
     */
    ThreadLock lock(LockRequest request);

    /**
     * The lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE} for readers, who share it, and writers, who do
     * not. The other methods take the same lock, as a writer does. No call is made, and nothing kept, until a side is
     * used.
     */
    default ReadWriteLocks readWrite(String key) {
        LockRequest request = LockRequest.of(key);
        return new ReadWriteLocks(
                new LockView(this, request.mode(LockMode.SHARED)), new LockView(this, request.downgradable()));
    }

    /**
     * A lock that at most so many callers hold at once, in all processes, first come, first served. The first caller
     * stores the number with the lock; a caller with another number is refused with {@link LockPermitsException}. No
     * call is made, and nothing kept, until the view is used; an acquire and a release are two writes, and
     * one more each time that its entry has moved up meanwhile.
     *
     * <p>The fencing tokens of permits mostly differ, and rise in the long run. They fence nothing, since there can be
     * several holders.
     *
     * @param permits 1 or more, and not more than {@link LockRegistryBuilder#maxQueue}: each permit that is held has an entry
     *     in the lock's queue
     * @throws IllegalArgumentException if it is less than 1. If it is too many, the view's methods say so
     */
    default LockView permits(String key, int permits) {
        return new LockView(this, LockRequest.of(key).permits(permits));
    }

    /**
     * Takes part in the election of a leader: in all processes that share the table, at most one candidate of this name
     * leads, the one that entered the queue first. Returns at once; the listener hears when this candidate leads and
     * when it no longer does. Several elections of one name are several candidates, also in one registry, and lead in
     * the order in which they were begun. A failure of the store is logged, and the candidate tries again after a pause
     * that grows to some ten seconds.
     *
     * @param name what is to be led; the same rules as for keys. It becomes a metric tag: use few different names
     * @throws LockClosedException if the registry is closed
     */
    LeaderElection elect(String name, LeaderListener listener);

    /** What operators and frameworks see of this registry, and what they do to it. Costs no call. */
    LockAdmin admin();

    /**
     * Ends its elections, and waits for their leaders' {@link LeaderListener#resigned}, but not longer than three call
     * timeouts, or 4 seconds and two if that is longer. Then makes every handle invalid at once, ends every wait with
     * {@link LockClosedException}, takes what this process has in queues out of them and deletes its session from the table,
     * which frees all its locks for others, but for those whose {@linkplain LockRequest#holdAtLeast(Duration) shortest hold}
     * is not over. Waits until that is done, but not longer than about two call timeouts, or 4 seconds and one if the session
     * is only just beginning; if DynamoDB does not answer, others have to wait for the lease. Not interrupted: the interrupt
     * flag is kept. Idempotent. The DynamoDB client, the store and the executor given to the builder stay open.
     */
    @Override
    void close();
}
