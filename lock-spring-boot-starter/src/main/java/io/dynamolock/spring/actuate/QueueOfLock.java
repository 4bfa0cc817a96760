package io.dynamolock.spring.actuate;

import io.dynamolock.LockSnapshot;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The endpoint's answer about one lock, for users who may see its key. Leaves out the data stored with the lock, which
 * may be personal.
 *
 * @param key what is locked
 * @param holders the entries that hold the lock: several if it is shared or has permits
 * @param queue who waits, in the order of their turns
 */
record QueueOfLock(String key, String namespace, List<LockSnapshot.Holder> holders, List<LockSnapshot.Waiter> queue)
        implements OperationResponseBody {

    static QueueOfLock of(LockSnapshot lock) {
        return new QueueOfLock(
                lock.key(),
                lock.namespace(),
                Stream.concat(lock.holder().stream(), lock.beside().stream()).toList(),
                lock.queue());
    }

    /** Whether this entry is in the queue. */
    boolean has(String id) {
        return holders.stream().anyMatch(holder -> holder.id().equals(id))
                || queue.stream().anyMatch(waiter -> waiter.id().equals(id));
    }

    /** Whether nobody holds the lock or waits for it. */
    boolean isUnused() {
        return holders.isEmpty() && queue.isEmpty();
    }
}
