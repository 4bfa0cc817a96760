package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Shows operators and frameworks a {@link LockRegistry} and the locks of its table, and lets them intervene; code that
 * only locks needs none of it. {@link LockRegistry#admin()} returns it. Thread-safe.
 *
 * <p>A registry has at most four of the reads of the table under way at once, and the others wait, so that they delay no lock.
 *
 * <p>The methods that take a key throw {@link IllegalArgumentException}, naming the value, as those of a registry do: if the key
 * is empty, longer than 2,048 bytes of UTF-8 (less those of the key prefix) or contains an unpaired surrogate.
 */
public interface LockAdmin {

    /** As {@link #inspect(String, String)} in the namespace {@value LockRequest#DEFAULT_NAMESPACE}. */
    default LockSnapshot inspect(String key) {
        return inspect(key, LockRequest.DEFAULT_NAMESPACE);
    }

    /**
     * Reads who holds a lock and who waits for it, with one read of the lock, one of the sessions of the first hundred
     * processes in its queue, and no write.
     *
     * @throws LockInterruptedException if the thread is interrupted
     * @throws LockStoreException if DynamoDB refused or could not be reached; that says nothing about the lock
     * @throws LockClosedException if the registry is closed
     */
    LockSnapshot inspect(String key, String namespace);

    /**
     * The locks of this key in all namespaces, as {@link #inspect(String, String)} shows each: those that were ever used and are
     * not removed yet, held or free, but for those whose items nobody can read. No lock waits for it. What it shows may be a moment
     * older than what {@code inspect} shows.
     *
     * <p>Reads pages while the stream is consumed, on the consuming thread: queries of what lies under the key, each of which
     * costs half a read unit for each 4 KiB it reads, and reads of the sessions in the queues, a hundred at a time. Needs the
     * permission {@code dynamodb:Query}.
     *
     * @return sequential, and to be consumed once. Consuming it throws {@link LockInterruptedException},
     *     {@link LockStoreException} and {@link LockClosedException} as {@code inspect} does
     * @throws LockClosedException if the registry is closed
     */
    Stream<LockSnapshot> list(String key);

    /**
     * All locks of the table (with this registry's key prefix), as {@link #list(String)} shows those of a key. For
     * people and clean-up jobs, not for each request: it <em>scans the whole table</em>, also what is not a lock, and costs half
     * a read unit for each 4 KiB of it. A page has up to 1 MiB; a stream that is not consumed to its end reads no further
     * page. Needs the permission {@code dynamodb:Scan}.
     *
     * @return as that of {@link #list(String)}
     * @throws LockClosedException if the registry is closed
     */
    Stream<LockSnapshot> listAll();

    /** The table that the locks live in; empty if they live elsewhere. Costs no call. */
    Optional<LockTable> table();

    /**
     * What is wrong with the wall clock of this machine, for people: it is too far off the store's, so that no lock is granted.
     * They were compared when the store last answered the beginning of a session, a heartbeat or an {@link #inspect}. Empty if
     * nothing was wrong or the store tells no time. Costs no call.
     */
    Optional<String> clockProblem();

    /** What this registry holds now; nothing once it is closed. Costs no call. */
    List<Held> held();

    /** How many callers of this registry wait for a lock now; none once it is closed. Costs no call. */
    int waiting();

    /**
     * The callers of this registry that wait for a lock now, longest first; none once it is closed. The list is a copy, of
     * as many as there are. Costs no call.
     */
    List<Waiter> waiters();

    /**
     * The session of this registry. Empty while it has none: it begins one when a lock is first wanted, and keeps it until it
     * is lost, {@linkplain #pause() paused} or closed. Costs no call.
     */
    Optional<Session> session();

    /**
     * Gives the lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE} so many
     * {@linkplain LockRegistry#permits permits}, for all processes, by one write. If there are fewer than before,
     * nobody loses one: the next callers wait until enough were released. From then on, callers with the former number
     * are refused, those that wait included.
     *
     * <p>A call that fails with a {@link LockStoreException} may still take effect a little later, and then undo a newer one:
     * check the number after that, by acquiring a permit, before you rely on it.
     *
     * @param permits 1 or more, and not more than {@link LockRegistryBuilder#maxQueue}
     * @throws IllegalArgumentException if it is not
     * @throws LockInterruptedException if the thread is interrupted; the number may have been changed
     * @throws LockStoreException if DynamoDB refused or could not be reached; the number may have been changed
     * @throws LockClosedException if the registry is closed
     */
    default void setPermits(String key, int permits) {
        setPermits(key, LockRequest.DEFAULT_NAMESPACE, permits);
    }

    /** As {@link #setPermits(String, int)}, of the lock in this namespace. */
    void setPermits(String key, String namespace, int permits);

    /**
     * Makes a process give up an entry of a lock's queue: a holder's handle becomes invalid (the reason of the loss is
     * {@code evicted}), callers that wait end with {@link LockEvictedException}. It is for operators, when something
     * hangs; inspect the lock first, by {@link #inspect(String, String)}.
     *
     * <p>This is a request, and the process itself obeys it: at once if it is this registry's, else when it hears of it with
     * its next heartbeat. So exclusion is kept as ever: the next in line gets the lock only after the holder's handle has become
     * invalid. But the thread that held it is not stopped by that, as after {@link LockRequest#maxHold(Duration)}: what it
     * writes afterwards is refused only if it is fenced, or if it checks its handle. A process that is dead hears nothing; its
     * lease ends its locks. A lock that is kept for a process that has stopped
     * ({@link LockRequest#holdAtLeast(Duration)}) is free at once.
     *
     * <p>An entry that waits is given up whole, with the waiters it would serve when its process hears of this. If the entry
     * holds the lock alone, the caller that has the lock by then loses it, and the next callers of the same entry have their
     * turn. Readers by a shared entry all lose the lock. While a process passes the lock along {@linkplain LockSnapshot
     * several entries}, one whose callers have all had the lock stands there for a while: the process is told, and does nothing.
     * Callers may try again, and then stand at the end of the queue.
     *
     * <p>Costs one read of the lock; if the entry is another process's, also one write, and what that process needs to take the
     * entry out. Blocks until DynamoDB has answered, not until the process has obeyed.
     *
     * @param id of the entry, from {@link LockSnapshot.Holder#id()} or {@link LockSnapshot.Waiter#id()}
     * @return whether the process was told; {@code false} if that entry, or the session of its process, is not there any more
     * @throws IllegalArgumentException also for an id that no entry ever has
     * @throws LockInterruptedException if the thread is interrupted; the process may be told all the same
     * @throws LockStoreException if DynamoDB refused or could not be reached, or the process has twenty such requests to answer
     *     already; it may be told all the same, and no harm is done by a second call
     * @throws LockClosedException if the registry is closed
     */
    boolean evict(String key, String namespace, String id);

    /**
     * Ends the session of this registry until {@link #resume()}: before the process is frozen, checkpointed or moved,
     * so that nobody has to wait for it meanwhile. Leaders resign, as by {@link LockRegistry#close()}. Every handle
     * becomes invalid at once and is told as lost, for the reason {@code paused}; locks that are
     * {@linkplain LockRequest#holdAtLeast(Duration) to be held} for longer are kept. What this process has in queues is
     * taken out of them, and its session is deleted from the table.
     *
     * <p>Nothing begins until {@code resume}. Callers wait on, and new callers wait; they have no entry in a queue meanwhile.
     * Their waits end as they would, with {@link LockTimeoutException}; a caller that does not wait at all fails with
     * {@link LockPausedException}. {@link #inspect}, {@link #list}, {@link #listAll},
     * {@link #setPermits} and {@link #evict} work as ever, and are the only calls to the table.
     *
     * <p>Returns when no call is under way, but waits no longer than {@link LockRegistry#close()} does; if DynamoDB
     * does not answer, others have to wait for the lease. Not interrupted: the interrupt flag is kept. Idempotent; does
     * nothing once the registry is closed.
     */
    void pause();

    /**
     * Ends a {@linkplain #pause() pause}, if there is one: callers that wait enter the queues again, in their order, under a new
     * session, and candidates stand again. Waits for a pause that is just beginning; calls nothing itself. Does nothing once the
     * registry is closed.
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
     * @param caller who wanted it, see {@link LockRequest#caller(String)}
     */
    record Held(String key, String namespace, String name, long fencingToken, Instant since, String caller) {}

    /**
     * A caller of this process that waits for a lock.
     *
     * @param key what is to be locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics, see {@link LockRequest#name(String)}
     * @param caller who wants it, see {@link LockRequest#caller(String)}
     * @param since when the wait began, by this machine's wall clock
     */
    record Waiter(String key, String namespace, String name, String caller, Instant since) {}

    /**
     * The session of a registry, under which it holds all its locks, as it is at one moment.
     *
     * @param id the id of its item in the table
     * @param owner the {@linkplain LockRegistryBuilder#owner(String) name} of the process
     * @param since when it was begun, by this machine's wall clock
     * @param lastHeartbeat when the last heartbeat that got through was sent, by this machine's wall clock; at first the same
     * @param remaining how long it is certainly alive if no further heartbeat gets through; more than zero
     */
    record Session(String id, String owner, Instant since, Instant lastHeartbeat, Duration remaining) {}
}
