package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Shows operators and frameworks a {@link LockRegistry} and the locks of its table, and lets them intervene. Code that
 * only locks does not need it. {@link LockRegistry#admin()} returns it. Thread-safe.
 *
 * <p>In each registry, at most four reads of the table by these methods are under way at once. Further reads wait, so
 * that they do not delay locks.
 *
 * <p>The methods that take a key throw {@link IllegalArgumentException}, naming the value, as the methods of a registry
 * do: if the key is empty, longer than 2,048 bytes of UTF-8 (less those of the key prefix) or contains an unpaired
 * surrogate.
 *
 * <p>The methods that call DynamoDB throw the following. None of these says anything about the lock, unless the method
 * says otherwise:
 *
 * <ul>
 *   <li>{@link LockInterruptedException} if the thread is interrupted,
 *   <li>{@link LockStoreException} if DynamoDB refused or could not be reached,
 *   <li>{@link LockClosedException} if the registry is closed.
 * </ul>
 */
public interface LockAdmin {

    /** As {@link #inspect(String, String)} in the namespace {@value LockRequest#DEFAULT_NAMESPACE}. */
    default LockSnapshot inspect(String key) {
        return inspect(key, LockRequest.DEFAULT_NAMESPACE);
    }

    /**
     * Reads who holds a lock and who waits for it, with one read of the lock, one of the sessions of the first hundred
     * processes in its queue, and no write.
     */
    LockSnapshot inspect(String key, String namespace);

    /**
     * The locks of this key in all namespaces, as {@link #inspect(String, String)} shows each of them: all locks that
     * were ever used and not yet removed, held or free, except those whose item cannot be read. Delays no lock. May
     * show a slightly older state than {@code inspect} does.
     *
     * <p>Reads pages while the stream is consumed, on the consuming thread: queries of the key's items, each of which
     * costs half a read unit for each 4 KiB that it reads, and reads of the sessions in the queues, a hundred at a
     * time. Needs the permission {@code dynamodb:Query}.
     *
     * @return a sequential stream, which can be consumed once. Consuming it throws what {@code inspect} throws
     * @throws LockClosedException if the registry is closed
     */
    Stream<LockSnapshot> list(String key);

    /**
     * All locks of the table with this registry's key prefix, as {@link #list(String)} shows the locks of a key. For
     * people and clean-up jobs, not for each request: it <em>scans the whole table</em>, including items that are not
     * locks, and costs half a read unit for each 4 KiB of the table. A page has up to 1 MiB; a stream that is not
     * consumed to its end reads no further page. Needs the permission {@code dynamodb:Scan}.
     *
     * @return a stream as that of {@link #list(String)}
     * @throws LockClosedException if the registry is closed
     */
    Stream<LockSnapshot> listAll();

    /** The table that the locks live in; empty if the locks are not in DynamoDB. Costs no call. */
    Optional<LockTable> table();

    /**
     * A sentence for people on how this machine's wall clock and the store's disagree, if they differ by more than 30
     * seconds. Locks are still granted: they are safe as long as one of the two clocks is right. The clocks are
     * compared when the store answers the beginning of a session, a heartbeat or an {@link #inspect}. Empty if they did
     * not differ, or if the store tells no time. Costs no call.
     */
    Optional<String> clockProblem();

    /**
     * The steps of the protocol whose latest calls to the store have all failed: what stands in the way of locks. A
     * step is in the list from its first failure to its next answer, so a short trouble is in it, too, and so is a step
     * that nobody has tried again: see {@link StoreTrouble#failures()} and {@link StoreTrouble#sinceLatest()}. When a
     * session is lost, its heartbeats leave the list, because no more of them are sent. Costs no call.
     *
     * @return a copy, in no particular order; empty if the registry is not one of this library
     */
    default List<StoreTrouble> storeTroubles() {
        return List.of();
    }

    /** What this registry holds now; nothing once it is closed. Costs no call. */
    List<Held> held();

    /** How many callers of this registry wait for a lock now; none once it is closed. Costs no call. */
    int waiting();

    /**
     * All callers of this registry that are waiting for a lock now, longest first; none once it is closed. A copy.
     * Costs no call.
     */
    List<Waiter> waiters();

    /**
     * The session of this registry. A registry begins a session when a lock is first wanted, and keeps it until the
     * session is lost or the registry is {@linkplain #pause() paused} or closed. Empty while there is no session. Costs
     * no call.
     */
    Optional<Session> session();

    /**
     * Gives the lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE} this number of {@linkplain
     * LockRegistry#permits permits}, for all processes, by one write. If the number becomes smaller, nobody loses a
     * permit: the next callers wait until enough permits have been released. From then on, callers with the former
     * number are refused, including those that already wait.
     *
     * <p>If the call fails with a {@link LockStoreException}, or is interrupted, it may still take effect a little
     * later, and then undo a newer call. Check the number after such a failure, by acquiring a permit, before you rely
     * on it.
     *
     * @param permits 1 or more, and not more than {@link LockRegistryBuilder#maxQueue}
     * @throws IllegalArgumentException if the number is out of this range
     */
    default void setPermits(String key, int permits) {
        setPermits(key, LockRequest.DEFAULT_NAMESPACE, permits);
    }

    /** As {@link #setPermits(String, int)}, of the lock in this namespace. */
    void setPermits(String key, String namespace, int permits);

    /**
     * Makes a process give up an entry of a lock's queue: a holder's handle becomes invalid (the reason of the loss is
     * {@code evicted}), and the waits of the entry's callers end with {@link LockEvictedException}. For operators, when
     * something hangs; inspect the lock first, by {@link #inspect(String, String)}.
     *
     * <p>This is a request that the entry's process obeys: at once if it is the process of this registry, otherwise
     * when it receives the request with its next heartbeat. So exclusion is kept: the next in line gets the lock only
     * after the holder's handle has become invalid. The thread that held the lock is not stopped, as after {@link
     * LockRequest#maxHold(Duration)}: its later writes are refused only if they are fenced, or if it checks its handle.
     * A dead process receives nothing; its locks end with its lease. A lock that is only kept for a process that has
     * stopped ({@link LockRequest#holdAtLeast(Duration)}) is free at once.
     *
     * <p>What is given up depends on the entry, and on who has the lock when the process receives the request:
     *
     * <ul>
     *   <li>An entry that waits is given up with all waiters that it would serve.
     *   <li>If the entry holds the lock alone, the caller that holds the lock by this entry loses it, and the next
     *       callers of the entry have their turn.
     *   <li>If the entry holds the lock for readers, all of them lose the lock.
     *   <li>While a process passes the lock along {@linkplain LockSnapshot several entries}, an entry can be shown as
     *       the holder after its last caller has released. Then the caller that holds the lock by a later entry of the
     *       same turn loses it.
     * </ul>
     *
     * <p>Callers may try again, at the end of the queue.
     *
     * <p>Blocks until the effect shows, but not much longer than two heartbeat intervals and {@link
     * LockRegistryBuilder#callTimeout(Duration) one call}. Meanwhile, it reads the lock repeatedly, in the end at most
     * once a second. If the entry belongs to another process, this also costs a write, and the other process sends its
     * next heartbeat at once. The calls by which the process takes the entry out come on top.
     *
     * <p>This process logs a warning that says who asks for which entry, whatever comes of it, and the process that
     * obeys logs another. The request in the table carries the name.
     *
     * @param id of the entry, from {@link LockSnapshot.Holder#id()} or {@link LockSnapshot.Waiter#id()}
     * @param operator the person or program that asks, for the logs; may be empty. The process that is told sees up to
     *     64 characters
     * @return {@code true} if the entry is gone from the queue, and whoever held the lock by this entry, or later in
     *     the same turn, when the process received the request, no longer holds it. {@code false} if the entry or the
     *     session of its process was already gone, or if the process was told but has not given up the entry in time,
     *     because it is frozen, dead or cut off. {@link #inspect} shows which; a process that was told may still obey
     * @throws IllegalArgumentException also if no entry can have this id
     * @throws LockInterruptedException if the thread is interrupted; the process may still be told
     * @throws LockStoreException if DynamoDB refused or could not be reached, or if twenty such requests already wait
     *     for the process; the process may still be told, and a second call does no harm
     */
    boolean evict(String key, String namespace, String id, String operator);

    /** As {@link #evict(String, String, String, String)}, without the name of an operator. */
    default boolean evict(String key, String namespace, String id) {
        return evict(key, namespace, id, "");
    }

    /**
     * Ends the session of this registry until {@link #resume()}. Call this before the process is frozen, checkpointed
     * or moved, so that nobody has to wait for it meanwhile. Leaders resign, as by {@link LockRegistry#close()}. Every
     * handle becomes invalid at once and is reported as lost, with the reason {@code paused}. Locks with a {@linkplain
     * LockRequest#holdAtLeast(Duration) shortest hold} that is not over are kept. The entries of this process are taken
     * out of all queues, and its session is deleted from the table.
     *
     * <p>Until {@code resume}, no caller gets a lock or an entry in a queue. Callers that wait go on waiting, and new
     * callers wait; their waits can end with {@link LockTimeoutException}. A caller that does not wait fails with
     * {@link LockPausedException}. {@link #inspect}, {@link #list}, {@link #listAll}, {@link #setPermits} and {@link
     * #evict} work as usual, and make the only calls to the table.
     *
     * <p>Returns when no call is under way, but waits no longer than {@link LockRegistry#close()} does. If DynamoDB
     * does not answer, others have to wait for the lease. Not interrupted: the interrupt flag is kept. Idempotent. Does
     * nothing once the registry is closed.
     */
    void pause();

    /**
     * Ends a {@linkplain #pause() pause}, if there is one: callers that wait enter the queues again, in their order,
     * under a new session, and candidates stand for election again. Waits only for a pause that is just beginning. Does
     * nothing once the registry is closed.
     */
    void resume();

    /**
     * A lock that this process holds.
     *
     * @param key what is locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics, see {@link LockRequest#name(String)}
     * @param fencingToken the grant's fencing token
     * @param since when it was granted, by this machine's wall clock
     * @param caller who wanted the lock, see {@link LockRequest#caller(String)}
     */
    record Held(String key, String namespace, String name, long fencingToken, Instant since, String caller) {}

    /**
     * A caller of this process that waits for a lock.
     *
     * @param key what is to be locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics, see {@link LockRequest#name(String)}
     * @param caller who wants the lock, see {@link LockRequest#caller(String)}
     * @param since when the wait began, by this machine's wall clock
     */
    record Waiter(String key, String namespace, String name, String caller, Instant since) {}

    /**
     * A step of the protocol that fails. Conflicts with fenced writes and items that cannot be read are not counted:
     * they tell nothing about the store.
     *
     * @param operation the step, as in {@link LockEvent.StoreCallFailed}: without {@code begin session}, {@code
     *     heartbeat} and {@code edit} nobody gets or keeps a lock
     * @param kind how the latest call failed: {@code throttled}, {@code denied} (no table, permission or credentials),
     *     {@code refused} (such as a bad request) or {@code unavailable} (no answer, or an error of the server)
     * @param failures number of failures in a row, 1 or more
     * @param sinceFirst time since the first of these failures
     * @param sinceLatest time since the latest failure
     * @param message what the store or the SDK said to the latest call; contains no key
     */
    record StoreTrouble(
            String operation, String kind, long failures, Duration sinceFirst, Duration sinceLatest, String message) {}

    /**
     * The session of a registry, under which it holds all its locks, as it is at one moment.
     *
     * @param id the id of its item in the table
     * @param owner the {@linkplain LockRegistryBuilder#owner(String) name} of the process
     * @param since when it was begun, by this machine's wall clock
     * @param lastHeartbeat when the last successful heartbeat was sent, by this machine's wall clock; before the first
     *     heartbeat, the same as {@code since}
     * @param remaining how long the session is certainly alive if no further heartbeat succeeds; more than zero
     */
    record Session(String id, String owner, Instant since, Instant lastHeartbeat, Duration remaining) {}
}
