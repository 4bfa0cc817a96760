package io.dynamolock.spring.autoconfigure.actuate;

import io.dynamolock.LockSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint tells of one lock, to those who may see its key.
 *
 * @param key what is locked
 * @param holders the entry that holds it, and those that hold it beside that
 * @param queue who waits, in the order of their turns
 */
record QueueOfLock(String key, String namespace, List<Holder> holders, List<Waiter> queue)
        implements OperationResponseBody {

    /** An entry that holds the lock; {@code number} is the greatest fencing token by it. */
    record Holder(
            String id, String owner, long number, @Nullable Instant lastHeartbeat) {}

    /** An entry that waits, for callers of one process, the first of them at this position. */
    record Waiter(
            String id,
            long position,
            long callers,
            String owner,
            long firstNumber,
            long lastNumber,
            @Nullable Instant lastHeartbeat) {}

    static QueueOfLock of(LockSnapshot lock) {
        return new QueueOfLock(
                lock.key(),
                lock.namespace(),
                Stream.concat(lock.holder().stream(), lock.beside().stream())
                        .map(holder -> new Holder(
                                holder.id(),
                                holder.owner(),
                                holder.fencingToken(),
                                holder.lastHeartbeat().orElse(null)))
                        .toList(),
                lock.queue().stream()
                        .map(waiter -> new Waiter(
                                waiter.id(),
                                waiter.position(),
                                waiter.callers(),
                                waiter.owner(),
                                waiter.firstToken(),
                                waiter.lastToken(),
                                waiter.lastHeartbeat().orElse(null)))
                        .toList());
    }

    /** Whether nobody holds the lock or waits for it. */
    boolean isUnused() {
        return holders.isEmpty() && queue.isEmpty();
    }
}
