package io.dynamolock;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Builds a {@link LockRegistry}. Every setting has a default that suits most; {@link #build()} refuses settings that do
 * not go together and says what to change. All processes that share a table should use the same settings. Not
 * thread-safe.
 */
public interface LockRegistryBuilder {

    /** The table the locks live in, by default {@code dynamolock}: 3 to 255 of {@code a-z A-Z 0-9 _ . -}, or its ARN. */
    LockRegistryBuilder tableName(String tableName);

    /**
     * Put before every partition key, so that locks can live in a table with other items; by default empty. Its bytes
     * of UTF-8, at most 1,024, are missing from the 2,048 that a key may have.
     */
    LockRegistryBuilder keyPrefix(String keyPrefix);

    /** The name of the table's partition key, by default {@code pk}. */
    LockRegistryBuilder partitionKeyAttribute(String partitionKeyAttribute);

    /** The name of the table's sort key, by default {@code sk}. */
    LockRegistryBuilder sortKeyAttribute(String sortKeyAttribute);

    /** The attribute by which DynamoDB's TTL removes items that are not used any more, by default {@code expiresAt}. */
    LockRegistryBuilder ttlAttribute(String ttlAttribute);

    /** The attribute of a lock's item that has the user's data, by default {@code data}. */
    LockRegistryBuilder dataAttribute(String dataAttribute);

    /** Whether all processes lock in one region, so that {@link LockTable#check()} passes any global table; by default false. */
    LockRegistryBuilder singleRegion(boolean singleRegion);

    /**
     * How long an unused lock's item stays in the table, by default 7 days; from 1 hour to 3,650 days, and longer than
     * {@code lease + lockDelay + maxClockSkew}.
     */
    LockRegistryBuilder retention(Duration retention);

    /**
     * How long a request waits that says nothing of it, by default 60 seconds; zero or more. {@link LockRegistry#tryAcquire} does
     * not wait then, and {@link ThreadLock#lock()} waits for ever.
     */
    LockRegistryBuilder wait(Duration wait);

    /**
     * How long the locks of this process survive without a heartbeat, by default 20 s; from 500 ms to 1 day. After a
     * crash others wait that long. A process that is frozen or cut off for longer loses its locks, and is told.
     */
    LockRegistryBuilder lease(Duration lease);

    /**
     * The interval between heartbeats: one write each, however many locks are held. By default a quarter of the lease,
     * but not more than 5 s; from 1 ms to a third of the lease.
     */
    LockRegistryBuilder heartbeat(Duration heartbeat);

    /**
     * How much earlier than its lease this process gives up its own locks, against clocks that run at different speeds.
     * By default a twentieth of the lease; from 1 ms to a quarter of it.
     */
    LockRegistryBuilder driftMargin(Duration driftMargin);

    /**
     * The time from one read of a lock to the next while another process is ahead: {@code min} for the next in line; further
     * back, or behind a long hold, longer, but at most {@code max}, and never more than a quarter of the shortest wait. A read
     * that is not answered yet delays the next one. A process that finds the {@linkplain #maxQueue queue full} reads as if it
     * stood behind all of it. {@code docs/how-it-works.md} has the rule.
     *
     * @param min by default 10 ms; at least 1 ms
     * @param max by default 1 s, or the lease if that is shorter; from {@code min} to the lease
     */
    LockRegistryBuilder pollInterval(Duration min, Duration max);

    /**
     * How much longer than its lease others wait for a silent process before its locks pass on, for work that it may have
     * sent out before; by default zero, at most 1 day.
     */
    LockRegistryBuilder lockDelay(Duration lockDelay);

    /**
     * How far the wall clocks of processes may be apart; zero, or from 10 seconds to a day, by default 5 minutes. A
     * session whose last heartbeat lies further back than the lease and this expires at once, so that a job that tries
     * once an hour does not lose a turn to a process that died long ago. A process whose clock differs from DynamoDB's
     * by more than half of it has no locks, and is told so; it compares them with each heartbeat. Zero switches both off;
     * use the same value for all processes of a table.
     */
    LockRegistryBuilder maxClockSkew(Duration maxClockSkew);

    /**
     * How long one call to DynamoDB may take before it counts as failed, by default a fifth of the lease, but not more
     * than 4 s; from 1 ms to a third of the lease. The call that begins a process's session may take 4 s in any case.
     */
    LockRegistryBuilder callTimeout(Duration callTimeout);

    /**
     * How many calls to DynamoDB that callers wait for may be under way at once, by default 32; 1 to 10,000. Heartbeats, clean-up
     * (a quarter as many) and reads for people (4) go beside them.
     */
    LockRegistryBuilder maxCallsInFlight(int maxCallsInFlight);

    /**
     * How many entries a lock's queue may have; 2 to 1,000, by default 200. Callers of one process mostly share an entry.
     * A process that finds the queue full waits outside until there is room, and there the order is not strict. A long
     * queue makes each write of that lock dearer: {@code docs/operations.md} says by how much.
     */
    LockRegistryBuilder maxQueue(int maxQueue);

    /** The name of this application, put before host and process id in the name of the owner unless one is set. */
    LockRegistryBuilder application(String application);

    /**
     * A name of this process for people, shown when a lock is inspected or a wait for it ends; by default host and
     * process id. 1 to 256 bytes of UTF-8, all of visible characters or blanks. It decides nothing and need not be unique.
     */
    LockRegistryBuilder owner(String owner);

    /** Hears what the registry does; by default there is none. Each call adds one, unless it is there; they hear in this order. */
    LockRegistryBuilder listener(LockListener listener);

    /** Follows the callers of the registry one by one; by default there is none. Each call replaces the one before. */
    LockRegistryBuilder observer(LockObserver observer);

    /**
     * Runs the continuations of all methods that return futures, the callbacks of {@link LockHandle#onLost} and {@link
     * LockHandle#onExpiring}, and what a {@link LeaderListener} does; by default a few daemon threads of the registry's, which end
     * when idle. It is not shut down with the registry; what it rejects, or fails to take, runs on a thread of the registry's.
     */
    LockRegistryBuilder executor(Executor executor);

    /**
     * The table that the registry will use, to create or check it. Needs no {@link #build()}, and takes no notice of
     * later changes to this builder.
     *
     * @throws IllegalStateException if this builder was not made for a DynamoDB client
     * @throws InvalidSettingException if the settings are refused, as by {@link #build()}
     */
    LockTable table();

    /**
     * A new registry. It makes no call until it is used, but has a daemon thread from now on: close it in any case.
     *
     * @throws InvalidSettingException if a setting is out of its range or does not go with another; the message says
     *     what to change
     */
    LockRegistry build();
}
