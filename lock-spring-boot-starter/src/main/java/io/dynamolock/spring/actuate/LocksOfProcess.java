package io.dynamolock.spring.actuate;

import io.dynamolock.LockAdmin;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The endpoint's answer about this process.
 *
 * @param heldInTotal number of locks that the process holds
 * @param held some of these locks, the longest held first
 * @param waitingInTotal number of callers that wait
 * @param waiting some of these callers, the longest waiting first
 */
record LocksOfProcess(int heldInTotal, List<Row> held, int waitingInTotal, List<Row> waiting)
        implements OperationResponseBody {

    /**
     * A lock that this process holds, or a caller that waits for a lock.
     *
     * @param key the key of the lock; null if keys are not to be shown
     * @param caller who asked for the lock; shown only with keys, because a name given to a caller may be personal data
     * @param fencingToken null for a caller that waits
     * @param since when the lock was granted or the wait began
     */
    record Row(
            @Nullable String key,
            String namespace,
            String name,
            @Nullable String caller,
            @Nullable Long fencingToken,
            Instant since) {

        Row(LockAdmin.Held lock) {
            this(lock.key(), lock.namespace(), lock.name(), lock.caller(), lock.fencingToken(), lock.since());
        }

        Row(LockAdmin.Waiter waiter) {
            this(waiter.key(), waiter.namespace(), waiter.name(), waiter.caller(), null, waiter.since());
        }

        private Row shown(boolean withKey) {
            return withKey ? this : new Row(null, namespace, name, null, fencingToken, since);
        }
    }

    /** @param rows maximum number of locks and of callers to show */
    static LocksOfProcess of(LockAdmin locks, int rows, boolean showKeys) {
        List<Row> held = locks.held().stream().map(Row::new).toList();
        List<Row> waiting = locks.waiters().stream().map(Row::new).toList();
        return new LocksOfProcess(
                held.size(), shown(held, rows, showKeys), waiting.size(), shown(waiting, rows, showKeys));
    }

    private static List<Row> shown(List<Row> all, int rows, boolean showKeys) {
        return all.stream().limit(rows).map(row -> row.shown(showKeys)).toList();
    }
}
