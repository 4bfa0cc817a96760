package io.dynamolock;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the table says of one lock at one moment. It is out of date when it arrives: good for people and dashboards, not
 * for decisions. Immutable.
 *
 * @param key what is locked
 * @param namespace the lock's namespace
 * @param holder who holds the lock; empty if nobody does
 * @param queue the waiters in the order of their turns. A process writes one row for those of its callers who came
 *     together, and none for those whose turn follows directly on its own; a row stays until the
 *     lock is its callers', or the last of them left, or until somebody finds that its process has died
 * @param complete whether {@code queue} has all rows, not just the first 100
 */
public record LockSnapshot(
        String key, String namespace, Optional<Holder> holder, List<Waiter> queue, boolean complete) {

    public LockSnapshot {
        queue = List.copyOf(queue);
    }

    /**
     * Who holds the lock.
     *
     * @param owner the {@linkplain DynamoLocksBuilder#owner(String) name} of the process
     * @param number the last number of the run of callers that holds it; the caller whose turn it is has this or a
     *     smaller one as its fencing token
     * @param since when the process got it, by its own wall clock
     */
    public record Holder(String owner, long number, Instant since) {}

    /**
     * Who waits: one or more callers of one process with consecutive numbers.
     *
     * @param position the place of the first of them, counted in callers, from 1
     * @param callers how many they are, including those who have left since
     * @param owner the {@linkplain DynamoLocksBuilder#owner(String) name} of their process
     * @param firstNumber the number of the first of them
     * @param lastNumber the number of the last of them
     * @param since when they were entered, by the wall clock of their process
     */
    public record Waiter(long position, long callers, String owner, long firstNumber, long lastNumber, Instant since) {}
}
