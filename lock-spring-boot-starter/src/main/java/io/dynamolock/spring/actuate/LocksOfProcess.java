package io.dynamolock.spring.actuate;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
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
record LocksOfProcess(int heldInTotal, List<Row> held, int waitingInTotal, List<Row> waiting)
        implements OperationResponseBody {

    static final int USUAL_ROWS = 100;
    static final int MOST_ROWS = 1_000;

    /**
     * A lock that this process holds, or a caller that waits for one.
     *
     * @param key what is locked; null if keys are not to be shown
     * @param caller who asked for it; shown as keys are, because a name given to a caller may be personal data
     * @param fencingToken null for one who waits
     * @param since when it was granted, or the wait began
     * @param age the time since then, by the wall clock
     */
    record Row(
            @Nullable String key,
            String namespace,
            String name,
            @Nullable String caller,
            @Nullable Long fencingToken,
            Instant since,
            Duration age) {

        private Row withoutKey() {
            return new Row(null, namespace, name, null, fencingToken, since, age);
        }
    }

    /** @param limit how many rows of each kind; null for the usual number */
    static LocksOfProcess of(LockRegistry locks, @Nullable Integer limit, boolean showKeys, Instant now) {
        int rows = limit == null ? USUAL_ROWS : Math.max(0, Math.min(limit, MOST_ROWS));
        List<LockAdmin.Held> held = locks.admin().held();
        List<LockAdmin.Waiter> waiting = locks.admin().waiters();
        UnaryOperator<Row> shown = showKeys ? UnaryOperator.identity() : Row::withoutKey;
        return new LocksOfProcess(
                held.size(),
                held.stream().limit(rows).map(lock -> of(lock, now)).map(shown).toList(),
                waiting.size(),
                waiting.stream()
                        .limit(rows)
                        .map(waiter -> of(waiter, now))
                        .map(shown)
                        .toList());
    }

    private static Row of(LockAdmin.Held lock, Instant now) {
        Duration age = between(lock.since(), now);
        return new Row(
                lock.key(), lock.namespace(), lock.name(), lock.caller(), lock.fencingToken(), lock.since(), age);
    }

    private static Row of(LockAdmin.Waiter waiter, Instant now) {
        Duration age = between(waiter.since(), now);
        return new Row(waiter.key(), waiter.namespace(), waiter.name(), waiter.caller(), null, waiter.since(), age);
    }

    /** The wall clock may have been set back. */
    private static Duration between(Instant since, Instant now) {
        Duration age = Duration.between(since, now);
        return age.isNegative() ? Duration.ZERO : age;
    }
}
