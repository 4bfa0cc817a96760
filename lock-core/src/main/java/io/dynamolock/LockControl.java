package io.dynamolock;

import java.time.Duration;
import java.util.Objects;

/**
 * What operators and frameworks do to a {@link LockRegistry} and to the locks of its table; who only locks needs none of it.
 * Thread-safe.
 *
 * <p>The methods that take a key throw {@link IllegalArgumentException}, naming the value, as those of a registry do: if the key
 * is empty, longer than 2,048 bytes of UTF-8 (less those of the key prefix) or contains an unpaired surrogate.
 */
public interface LockControl {

    /**
     * Gives the lock in the namespace {@value LockRequest#DEFAULT_NAMESPACE} so many {@linkplain LockRegistry#permits permits},
     * for all processes, by one write. If there are fewer than before, nobody loses one: the next callers wait until enough
     * were released. Processes that go on to say the former number are refused from then on.
     *
     * <p>A call that fails with a {@link LockStoreException} may still take effect a little later, and then undo a newer one:
     * check the number after that, by asking for a permit, before you rely on it.
     *
     * @param permits 1 or more, and not more than {@link DynamoLocksBuilder#maxQueue}
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
     * Has an entry of a lock's queue given up by its process: a holder's handle becomes invalid (the reason of the loss is
     * {@code evicted}), callers that wait end with {@link LockEvictedException}. It is for operators, when something hangs;
     * look first, by {@link LockInspector#inspect(String, String)}.
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
     * Callers may ask again, and then stand at the end.
     *
     * <p>Costs one read of the lock; if the entry is another process's, also one write, and what that process needs to take the
     * entry out. Blocks until DynamoDB has answered, not until the process has obeyed.
     *
     * @param id of the entry, from {@link LockSnapshot.Holder#id()} or {@link LockSnapshot.Waiter#id()}
     * @return whether the process was told; {@code false} if that entry, or the session of its process, is not there any more
     * @throws IllegalArgumentException also for an id that no entry ever has
     * @throws LockInterruptedException if the thread is interrupted; the process may be told all the same
     * @throws LockStoreException if DynamoDB refused or could not be reached, or the process has twenty such requests to answer
     *     already; it may be told all the same, and no harm is done by asking once more
     * @throws LockClosedException if the registry is closed
     */
    boolean evict(String key, String namespace, String id);

    /** Has the listener hear what this registry does from now on, after those it has. Changes nothing if it does already. */
    void addListener(LockListener listener);

    /**
     * Has the observer follow the callers that ask from now on, in place of the one before. A registry that is not one of this
     * library's may take no notice.
     */
    default void observe(LockObserver observer) {
        Objects.requireNonNull(observer, "observer");
    }

    /**
     * Ends the session of this registry until {@link #resume()}: before the process is frozen, checkpointed or moved, so that it
     * keeps nothing from others meanwhile. Leaders resign, as by {@link LockRegistry#close()}. Every handle becomes invalid at
     * once and is told as lost, for the reason {@code paused}; locks that are
     * {@linkplain LockRequest#holdAtLeast(Duration) to be held} for longer are kept. What this process has in queues is taken
     * out of them, and its session is deleted from the table.
     *
     * <p>Nothing begins until {@code resume}. Callers wait on, and new callers wait; they have no entry in a queue meanwhile.
     * Their waits end as they would, with {@link LockTimeoutException}; a caller that does not wait at all fails with
     * {@link LockPausedException}. {@link LockInspector#inspect}, {@link LockInspector#list}, {@link LockInspector#listAll},
     * {@link #setPermits} and {@link #evict} work as ever, and are the only calls to the table.
     *
     * <p>Returns when no call is under way, but waits no longer than {@link LockRegistry#close()} does; if DynamoDB
     * does not answer, others have to wait for the lease. Not interrupted: the interrupt flag is kept. Idempotent; does
     * nothing once the registry is closed.
     */
    void pause();

    /**
     * Ends a {@linkplain #pause() pause}, if there is one: callers that wait ask anew, in their order, under a new session, and
     * candidates stand again. Waits for a pause that is just beginning; calls nothing itself. Does nothing once the registry is
     * closed.
     */
    void resume();
}
