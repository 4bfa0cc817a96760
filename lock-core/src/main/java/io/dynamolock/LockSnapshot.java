package io.dynamolock;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the table says of one lock at one moment.
 *
 * @param queue the blocks of waiters in the order of their turns
 * @param complete whether {@code queue} is the whole queue, not just its front
 */
public record LockSnapshot(
        String key, String namespace, Optional<Holder> holder, List<Waiter> queue, boolean complete) {

    public LockSnapshot {
        queue = List.copyOf(queue);
    }

    /**
     * Who holds the lock.
     *
     * @param owner application, host and process
     * @param number the last ticket of the block that holds it
     */
    public record Holder(String owner, long number, Instant since) {}

    /**
     * Who waits: one or more callers of one process with consecutive tickets.
     *
     * @param position of the first of them, counted from 1 among those waiting
     * @param callers how many
     */
    public record Waiter(long position, long callers, String owner, long firstNumber, long lastNumber, Instant since) {}
}
