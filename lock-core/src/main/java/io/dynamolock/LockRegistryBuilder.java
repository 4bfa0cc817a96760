package io.dynamolock;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Builds a {@link LockRegistry}. Every setting has a default that suits most applications. {@link #build()} refuses
 * settings that contradict each other, and says what to change. Processes that share locks need the same table, key
 * prefix and names of attributes; all other settings may differ. Not thread-safe.
 */
public interface LockRegistryBuilder {

    /**
     * The table that the locks live in, by default {@code dynamolock}: a name of 3 to 255 of the characters {@code a-z
     * A-Z 0-9 _ . -}, or an ARN.
     */
    LockRegistryBuilder tableName(String tableName);

    /**
     * A text before every partition key, so that locks can live in a table with other items; by default empty. At most
     * 1,024 bytes of UTF-8, which count towards the 2,048 bytes that a key may have.
     */
    LockRegistryBuilder keyPrefix(String keyPrefix);

    /** The name of the table's partition key, by default {@code pk}. */
    LockRegistryBuilder partitionKeyAttribute(String partitionKeyAttribute);

    /** The name of the table's sort key, by default {@code sk}. */
    LockRegistryBuilder sortKeyAttribute(String sortKeyAttribute);

    /** The attribute by which DynamoDB's TTL removes unused items, by default {@code expiresAt}. */
    LockRegistryBuilder ttlAttribute(String ttlAttribute);

    /** The attribute of a lock's item that contains the user's data, by default {@code data}. */
    LockRegistryBuilder dataAttribute(String dataAttribute);

    /**
     * The attribute in which a later version of DynamoLock states that an item has a format unknown to this version, by
     * default {@code dynamolock:format}. This version never writes the attribute, and refuses locks whose items have
     * it. All processes that share a table need the same name, and no attribute that you add to a lock's item may have
     * it.
     */
    LockRegistryBuilder formatAttribute(String formatAttribute);

    /**
     * Whether all processes lock in one region, so that {@link LockTable#check()} accepts any global table; by default
     * false.
     */
    LockRegistryBuilder singleRegion(boolean singleRegion);

    /**
     * Least time for which an unused lock's item stays in the table, by default 7 days; from 1 day to 3,650 days, and
     * longer than {@code lease + lockDelay}. If processes have different retentions, the longest counts.
     */
    LockRegistryBuilder retention(Duration retention);

    /**
     * How long a request without a {@linkplain LockRequest#waitTime(Duration) wait time} waits, by default 60 seconds;
     * zero or more. Does not apply to {@link LockRegistry#tryAcquire}, which does not wait with such a request, nor to
     * {@link ThreadLock#lock()}, which waits for ever.
     */
    LockRegistryBuilder wait(Duration wait);

    /**
     * Whether {@link LockRegistry#withLock(String, Duration, java.util.concurrent.Callable) withLock} and {@code
     * @DynamoLocked} wait until the lock is released in the table, for requests that do not {@linkplain
     * LockRequest#awaitRelease(boolean) set this}. By default they do not: the release begins, and the caller goes on.
     * In AWS Lambda, which freezes a process when its handler has returned, they wait by default; the environment
     * variable {@code AWS_LAMBDA_FUNCTION_NAME} shows this.
     *
     * <p>Set this to {@code true} if another process tries the lock <em>without waiting</em> right after the section
     * and must find it free, or if a {@code main} method ends without closing its registry: a release that is still
     * under way may then never reach the table, and others wait for the lease.
     *
     * <p>If the first attempt to write the release fails, the release counts as done, and the rest happens in the
     * background. So a caller that awaits it goes on, and a loss that is found then is not reported.
     *
     * <p>At most as many releases as {@linkplain #maxCallsInFlight calls} are under way unawaited. Beyond that, each
     * caller awaits its own release. {@link LockRegistry#close()} and a pause finish the releases that are under way.
     */
    LockRegistryBuilder awaitRelease(boolean awaitRelease);

    /**
     * How long the entry of a released lock may stay in the queue so that a caller of this process that comes back at
     * once gets the lock without a call; for requests that do not {@linkplain LockRequest#stay(Duration) set this}. By
     * default 10 ms; from zero, which switches it off, to 50 ms. Has no effect on releases that are {@linkplain
     * #awaitRelease(boolean) awaited}.
     *
     * <p>What a stay costs others: a waiting caller gets the lock later by at most that time, and callers that come
     * back within 50 ms of when this process joined the queue overtake it. This happens once: then there is no stay for
     * a second or longer. A caller that does not wait may find the lock taken. If the process is killed during a stay,
     * the key remains taken for a lease, as if the process had held the lock.
     */
    LockRegistryBuilder stay(Duration stay);

    /**
     * How long the locks of this process survive without a heartbeat, by default 20 s; from 500 ms to 1 day. After a
     * crash, others wait that long. A process that is frozen or cut off for longer loses its locks, and its handles
     * show this.
     */
    LockRegistryBuilder lease(Duration lease);

    /**
     * The interval between heartbeats: one write each, however many locks are held. By default a quarter of the lease,
     * but not more than 5 s; from 1 ms to a third of the lease.
     */
    LockRegistryBuilder heartbeat(Duration heartbeat);

    /**
     * How long before the end of its lease this process gives up its own locks, because clocks may run at different
     * speeds: a twelfth of the lease covers a clock that is slewed as fast as chrony does by default. By default a
     * twelfth of the lease; from a twelfth to a quarter of the lease.
     */
    LockRegistryBuilder driftMargin(Duration driftMargin);

    /**
     * The time from one read of a lock to the next while another process is ahead. The next in line reads every {@code
     * min}. A process further back, or behind a long hold, reads less often, but at least every {@code max}, and at
     * least four times within its shortest wait. A read that is not answered yet delays the next read. A process that
     * finds the {@linkplain #maxQueue queue full} reads as if it stood at the end. {@code docs/how-it-works.md} has the
     * rule.
     *
     * @param min by default 5 ms; at least 1 ms
     * @param max by default 250 ms, or the lease if that is shorter; from {@code min} to the lease
     */
    LockRegistryBuilder pollInterval(Duration min, Duration max);

    /**
     * How long, beyond the lease of a silent process, this process waits before it takes over that process's locks, so
     * that work that the silent process has sent out can arrive; at most 1 day. It is at least a twelfth of the lease,
     * which is the default, because clocks may run at different speeds.
     */
    LockRegistryBuilder lockDelay(Duration lockDelay);

    /**
     * How long one call to DynamoDB may take before it counts as failed, by default a fifth of the lease, but not more
     * than 4 s; from 1 ms to a third of the lease. The call that begins a process's session may take 4 s in any case.
     */
    LockRegistryBuilder callTimeout(Duration callTimeout);

    /**
     * Maximum number of calls to DynamoDB under way at once for callers, by default 32; 1 to 10,000. Heartbeats,
     * clean-up (a quarter of this number) and reads for operators (4) are not counted.
     */
    LockRegistryBuilder maxCallsInFlight(int maxCallsInFlight);

    /**
     * Maximum number of entries in a lock's queue, by default 200; 2 to 1,000. Callers of one process usually share an
     * entry. A process that finds the queue full waits outside until there is room, and outside the queue there is no
     * strict order. The longer a queue, the more each write of that lock costs: {@code docs/operations.md} says how
     * much.
     */
    LockRegistryBuilder maxQueue(int maxQueue);

    /**
     * The name of this application, which precedes host and process id in the default name of the {@link #owner(String)
     * owner}.
     */
    LockRegistryBuilder application(String application);

    /**
     * A name of this process for people, shown when a lock is inspected or a wait for it ends; by default host and
     * process id. 1 to 256 bytes of UTF-8, only visible characters and blanks. It has no other effect, and need not be
     * unique.
     */
    LockRegistryBuilder owner(String owner);

    /**
     * Adds a listener that hears what the registry does; by default there is none. Listeners hear in the order of these
     * calls. A second call with the same listener changes nothing.
     */
    LockRegistryBuilder listener(LockListener listener);

    /**
     * Sets the observer that follows each caller of the registry; by default there is none. A second call replaces it.
     */
    LockRegistryBuilder observer(LockObserver observer);

    /**
     * Runs the continuations of all futures that the registry returns, the callbacks of {@link LockHandle#onLost} and
     * {@link LockHandle#onExpiring}, and the methods of every {@link LeaderListener}. By default the registry has a few
     * daemon threads for that, which end when idle. The executor is not shut down with the registry. A task that it
     * rejects, or fails to take, runs on a thread of the registry.
     */
    LockRegistryBuilder executor(Executor executor);

    /**
     * Every registry that this builder makes from now on closes itself when the virtual machine shuts down: at SIGTERM,
     * Ctrl-C, {@link System#exit}, or the end of {@code main}. So its locks are free for others at once instead of
     * after a lease. By default, only {@link LockRegistry#close()} closes a registry. Do not use this in a Spring
     * application context, which closes the registry itself, after the beans that use it.
     *
     * <p>A shutdown hook calls {@link LockRegistry#close()} and waits as long as that does. Hooks run side by side, and
     * threads of the application run on meanwhile. So
     *
     * <ul>
     *   <li>keep the DynamoDB client and the {@linkplain #executor executor} open: a hook of your own that closes them
     *       may run first
     *   <li>expect that work under a lock loses the lock before it is done. {@link LockHandle#isValid()} shows this
     *       before others can get the lock. To finish such work first, do not use this method: let a hook of your own
     *       wait for the work and then close the registry.
     * </ul>
     *
     * <p>No hook runs if the process is killed (SIGKILL, {@link Runtime#halt}, a crash); then others wait for the
     * lease. A registry that is built while the virtual machine is shutting down has no hook.
     *
     * <p>The hook keeps the registry, and with it its class loader, in memory until {@link LockRegistry#close()} has
     * removed the hook. So an application that is unloaded from a running virtual machine must close its registry.
     */
    LockRegistryBuilder closeAtShutdown();

    /**
     * The table that the registry will use, to create or check it. Needs no {@link #build()}. Later changes to this
     * builder do not change it.
     *
     * @throws IllegalStateException if this builder was not made for a DynamoDB client
     * @throws InvalidSettingException if the settings are refused, as by {@link #build()}
     */
    LockTable table();

    /**
     * A new registry. It makes no call until it is used, but has a daemon thread from now on, so always close it.
     *
     * @throws InvalidSettingException if a setting is out of its range or contradicts another; the message says what to
     *     change
     */
    LockRegistry build();
}
