package io.dynamolock;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the locks of a table, and what this process has of them, and changes nothing. For people: a registry has at most
 * four such reads of the table under way at once, and the others wait, so that they delay no lock. Thread-safe.
 */
public interface LockInspector {

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
     * not removed yet, held or free. Blocks no lock. What it shows may be a moment older than what {@code inspect} shows.
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
     * They were compared when the store last answered the beginning of a session or an {@link #inspect}. Empty if nothing was
     * wrong or the store tells no time. Costs no call.
     */
    default Optional<String> clockProblem() {
        return Optional.empty();
    }

    /** What this registry holds now; nothing once it is closed. Costs no call. */
    List<HeldLock> held();

    /** How many callers of this registry wait for a lock now; none once it is closed. Costs no call. */
    int waiting();

    /**
     * The callers of this registry that wait for a lock now, longest first; none once it is closed. The list is a copy, of
     * as many as there are. Costs no call.
     */
    List<WaitingCaller> waiters();

    /**
     * The session of this registry. Empty while it has none: it begins one when a lock is first asked for, and keeps it until it
     * is lost, {@linkplain LockRegistry#pause() paused} or closed. Costs no call.
     */
    Optional<SessionView> session();
}
