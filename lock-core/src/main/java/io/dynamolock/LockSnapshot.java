package io.dynamolock;

import io.dynamolock.data.LockData;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the table says of one lock at one moment. It is out of date when it arrives: good for people and dashboards, not
 * for decisions. Immutable.
 *
 * @param key what is locked
 * @param namespace the lock's namespace
 * @param holder the process that holds the lock, or the first of those who do; empty if none does
 * @param queue the waiters in the order of their turns, one entry for the callers of a process that stand together; an
 *     entry stays until it comes to hold the lock, or its last caller left, or another process found its process dead
 * @param beside the processes that hold the lock beside that, as readers or by permits, one for each of their places in the
 *     queue
 * @param data what the last holder left with the lock, or the holder has put there
 */
public record LockSnapshot(
        String key, String namespace, Optional<Holder> holder, List<Waiter> queue, List<Holder> beside, LockData data) {

    public LockSnapshot {
        queue = List.copyOf(queue);
        beside = List.copyOf(beside);
    }

    /** Of a lock that at most one holds, without data. */
    public LockSnapshot(String key, String namespace, Optional<Holder> holder, List<Waiter> queue) {
        this(key, namespace, holder, queue, List.of(), LockData.EMPTY);
    }

    /**
     * The process that holds the lock.
     *
     * @param id names its place in the queue for as long as it stands, for {@link LockRegistry#evict}. It says nothing about
     *     the lock or its key
     * @param owner the {@linkplain DynamoLocksBuilder#owner(String) name} of the process, {@code unknown} if its
     *     session has ended, {@code unreadable} if the item of its session is not as the locks write it
     * @param number the last number of the callers that stand there together; the caller whose turn it is has this or a
     *     smaller one as its fencing token
     * @param lastBeat the last heartbeat of the process, by its own wall clock; empty if its session has ended, so that
     *     the lock passes on, or if it is unreadable, so that it does not
     */
    public record Holder(String id, String owner, long number, Optional<Instant> lastBeat) {}

    /**
     * One or more callers of one process that wait together.
     *
     * @param id names their place in the queue, as that of a {@link Holder} does
     * @param position the place of the first of them, counted in callers, from 1
     * @param callers how many they are, including callers that have left since
     * @param owner the {@linkplain DynamoLocksBuilder#owner(String) name} of their process, {@code unknown} if its
     *     session has ended or it stands behind a hundred other processes, {@code unreadable} if the item of its session
     *     is not as the locks write it
     * @param firstNumber the number of the first of them; it becomes greater if others behind them leave before their
     *     turn
     * @param lastNumber the number of the last of them, likewise
     * @param lastBeat the last heartbeat of their process, by its own wall clock; empty where the owner is unknown or
     *     unreadable
     */
    public record Waiter(
            String id,
            long position,
            long callers,
            String owner,
            long firstNumber,
            long lastNumber,
            Optional<Instant> lastBeat) {}
}
