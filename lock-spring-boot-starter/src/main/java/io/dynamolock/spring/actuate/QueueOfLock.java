package io.dynamolock.spring.actuate;

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

    /**
     * An entry that holds the lock.
     *
     * @param fencingToken the greatest by it
     * @param lastHeartbeat of its session; null if that has none in the table
     */
    record Holder(
            String id,
            String owner,
            long fencingToken,
            @Nullable Instant lastHeartbeat) {}

    /**
     * An entry that waits.
     *
     * @param position of the first of its waiters
     * @param waiters how many callers of its process it is for
     * @param firstFencingToken that the first of them gets
     * @param lastFencingToken that the last of them gets
     * @param lastHeartbeat as that of a holder
     */
    record Waiter(
            String id,
            String owner,
            long position,
            long waiters,
            long firstFencingToken,
            long lastFencingToken,
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
                                waiter.owner(),
                                waiter.position(),
                                waiter.callers(),
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
