package io.dynamolock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LockListener} hears. Durations are measured by the monotonic clock and never negative. Keys may be
 * personal data and are many: use {@code name} or {@code namespace} for metrics, never {@code key}.
 */
public sealed interface LockEvent {

    /**
     * A caller got a slot in the queue. A caller that gets a free lock at once is never queued.
     *
     * @param key what is to be locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics
     * @param fencingToken an estimate of the fencing token that the caller will get
     * @param ahead how many callers were ahead, as far as this process knew
     */
    record Queued(String key, String namespace, String name, long fencingToken, long ahead) implements LockEvent {}

    /**
     * The queue was full when a caller came or went on waiting, so that it waits outside, in no order, until there is
     * room; {@link Queued} may follow. Reported once for each caller, but not for callers that do not wait.
     *
     * @param key what is to be locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics
     * @param ahead how many callers were ahead, as far as this process knew
     */
    record QueueFull(String key, String namespace, String name, long ahead) implements LockEvent {}

    /**
     * A caller got the lock.
     *
     * @param key what is locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics
     * @param fencingToken the grant's fencing token
     * @param waited from the call to the grant
     * @param queued whether the caller had to queue, or found the queue full
     */
    record Acquired(String key, String namespace, String name, long fencingToken, Duration waited, boolean queued)
            implements LockEvent {}

    /**
     * A caller's wait was over; it holds nothing.
     *
     * @param key what was to be locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics
     * @param waited from the call to the end of the wait
     */
    record TimedOut(String key, String namespace, String name, Duration waited) implements LockEvent {}

    /**
     * An operator had a caller taken out of the queue while it waited; it holds nothing.
     *
     * @param key what was to be locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics
     * @param waited from the call to its end
     */
    record Evicted(String key, String namespace, String name, Duration waited) implements LockEvent {}

    /**
     * A caller was cancelled or interrupted, or its attempt failed, or the registry was closed, or the registry was
     * paused and the caller does not wait; it holds nothing.
     *
     * @param key what was to be locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics
     * @param waited from the call to its end
     */
    record Abandoned(String key, String namespace, String name, Duration waited) implements LockEvent {}

    /**
     * A lock was released by its holder before it was lost.
     *
     * @param key what was locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics
     * @param fencingToken the grant's fencing token
     * @param held from the grant to the release
     */
    record Released(String key, String namespace, String name, long fencingToken, Duration held) implements LockEvent {}

    /**
     * A lock was lost before it was released.
     *
     * @param key what was locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics
     * @param fencingToken the grant's fencing token
     * @param held from the grant to the loss
     * @param reason why, fit for a metric tag: {@code session-lost} (no heartbeat succeeded for a lease, another
     *     process took this one for dead, or the wall clock of this machine was set ahead), {@code max-hold} ({@link
     *     LockRequest#maxHold(Duration)} was over), {@code taken-away} (the lock's item was changed or deleted by
     *     hand), {@code evicted} (an operator called {@link LockAdmin#evict}), {@code closed} (the registry was closed)
     *     or {@code paused} ({@link LockAdmin#pause})
     */
    record Lost(String key, String namespace, String name, long fencingToken, Duration held, String reason)
            implements LockEvent {}

    /**
     * A lock stayed with this process for a moment after a release that nobody waited for, so that the next caller here
     * could have it without a call to DynamoDB. Not reported if the session of this process ends meanwhile, for example
     * because the registry is closed, or if somebody else removes the entry.
     *
     * @param key what was locked
     * @param namespace the lock's namespace
     * @param name the name used for metrics
     * @param outcome how the stay ended, fit for a metric tag: {@code came-back} (a caller of this process got the
     *     lock), {@code unused} (nobody wanted it), {@code taken} (at the end, callers of other processes waited for
     *     it) or {@code cut-short} (another process, or a caller here whom the entry could not serve, wanted the lock
     *     before the time was over)
     */
    record StayEnded(String key, String namespace, String name, String outcome) implements LockEvent {}

    /**
     * This process has a session in the table, so that it can hold locks.
     *
     * @param session the id of the session
     */
    record SessionStarted(String session) implements LockEvent {}

    /**
     * The session of this process was lost, and with it all locks that the process held. Not reported if the registry
     * was closed or paused. Callers that wait go on waiting under a new session, at the ends of the queues.
     *
     * @param session the id of the session
     */
    record SessionLost(String session) implements LockEvent {}

    /**
     * One call to the store failed. It may be repeated, so this says nothing about any lock.
     *
     * @param operation which step of the protocol the call was for
     * @param kind how, fit for a metric tag: {@code throttled}, {@code denied} (no table, permission or credentials),
     *     {@code refused} (such as a bad request), {@code unavailable} (no answer, or an error of the server) or {@code
     *     unreadable} (the answer)
     * @param cause what the store said
     */
    record StoreCallFailed(String operation, String kind, Throwable cause) implements LockEvent {}

    /**
     * One call to the store conflicted with a {@linkplain FencedWrites fenced write} of the same item, and is repeated.
     * Nothing is wrong.
     *
     * @param operation which step of the protocol the call was for
     */
    record StoreCallConflicted(String operation) implements LockEvent {}

    /**
     * DynamoDB had no throughput for one call, which is repeated, so this says nothing about any lock. The listener
     * also hears a {@link StoreCallFailed} for the call, with a cause that says what to do.
     *
     * @param key the key of the lock that the call was about; null if the call was about sessions or many locks
     * @param namespace the lock's namespace; null if the key is
     * @param operation which step of the protocol the call was for
     * @param reason DynamoDB's reason, fit for a metric tag: {@code key-range} (too many calls for one lock, whatever
     *     the table can do), {@code table-capacity} (the provisioned capacity is used up), {@code table-maximum} (the
     *     maximum of an on-demand table is reached), {@code index} (an index that was added to the table cannot keep
     *     up), {@code account} (the quota of the account is reached) or {@code unknown} (DynamoDB gave no reason)
     */
    record Throttled(@Nullable String key, @Nullable String namespace, String operation, String reason)
            implements LockEvent {}

    /**
     * One call has found an item that cannot be read. Until somebody repairs it, callers of a lock with such an item
     * fail, and nobody can take over the locks of a session with such an item. The listener also hears a {@link
     * StoreCallFailed} for the call, with a cause that says what to do.
     *
     * @param key the key of the lock that the call was about; null if the call was about sessions
     * @param namespace the lock's namespace; null if the key is
     * @param operation which step of the protocol the call was for
     * @param item whose item it is, fit for a metric tag: {@code lock} or {@code session}
     * @param reason fit for a metric tag: {@code format} (a version of DynamoLock that knows a later format has written
     *     the item) or {@code malformed} (the item is not as DynamoLock writes it)
     */
    record Unreadable(@Nullable String key, @Nullable String namespace, String operation, String item, String reason)
            implements LockEvent {}
}
