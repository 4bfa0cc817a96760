package io.dynamolock.spring.autoconfigure.actuate;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint tells of this process.
 *
 * @param heldInTotal how many locks it holds
 * @param held those of them that it has held longest
 * @param waitingInTotal how many of its callers wait
 * @param waiting those of them that wait longest
 */
record LocksOfProcess(int heldInTotal, List<Held> held, int waitingInTotal, List<Waiting> waiting)
        implements OperationResponseBody {

    static final int USUAL_ROWS = 100;
    static final int MOST_ROWS = 1_000;

    /**
     * A lock that this process holds.
     *
     * @param key what is locked; null if keys are not to be shown
     * @param caller who asked for it; shown as keys are, because a name given to a caller may be personal data
     * @param age how long it is held, by the wall clock
     */
    record Held(
            @Nullable String key,
            String namespace,
            String name,
            @Nullable String caller,
            long fencingToken,
            Instant since,
            Duration age) {

        static Held of(LockAdmin.Held lock, boolean showKey, Instant now) {
            return new Held(
                    showKey ? lock.key() : null,
                    lock.namespace(),
                    lock.name(),
                    showKey ? lock.caller() : null,
                    lock.fencingToken(),
                    lock.since(),
                    between(lock.since(), now));
        }
    }

    /**
     * A caller that waits.
     *
     * @param key what it wants; null if keys are not to be shown
     * @param caller who waits; shown as keys are
     * @param age how long it waits, by the wall clock
     */
    record Waiting(
            @Nullable String key,
            String namespace,
            String name,
            @Nullable String caller,
            Instant since,
            Duration age) {

        static Waiting of(LockAdmin.Waiter waiter, boolean showKey, Instant now) {
            return new Waiting(
                    showKey ? waiter.key() : null,
                    waiter.namespace(),
                    waiter.name(),
                    showKey ? waiter.caller() : null,
                    waiter.since(),
                    between(waiter.since(), now));
        }
    }

    /** @param limit how many rows of each kind; null for the usual number */
    static LocksOfProcess of(LockRegistry locks, @Nullable Integer limit, boolean showKeys, Instant now) {
        int rows = limit == null ? USUAL_ROWS : Math.max(0, Math.min(limit, MOST_ROWS));
        List<LockAdmin.Held> held = locks.admin().held();
        List<LockAdmin.Waiter> waiting = locks.admin().waiters();
        return new LocksOfProcess(
                held.size(),
                held.stream()
                        .limit(rows)
                        .map(lock -> Held.of(lock, showKeys, now))
                        .toList(),
                waiting.size(),
                waiting.stream()
                        .limit(rows)
                        .map(waiter -> Waiting.of(waiter, showKeys, now))
                        .toList());
    }

    /** The wall clock may have been set back. */
    private static Duration between(Instant since, Instant now) {
        Duration age = Duration.between(since, now);
        return age.isNegative() ? Duration.ZERO : age;
    }
}
