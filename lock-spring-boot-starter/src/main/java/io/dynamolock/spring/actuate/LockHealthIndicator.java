package io.dynamolock.spring.actuate;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether this process can have locks: its table answers, and its clock is right. A process that uses no lock yet is well if the
 * table answers; that is found out by one read of a lock that nobody takes. It says nothing about liveness: a restart mends no
 * table. Thread-safe.
 */
final class LockHealthIndicator implements HealthIndicator {

    private static final String KEY = "health";
    private static final String NAMESPACE = "dynamolock-health";

    private final LockRegistry locks;
    private final RecentAnswer<Consumer<Health.Builder>> answer;

    /**
     * @param nanoTime as {@link System#nanoTime}
     * @param interval how old what the table has answered may be
     * @param patience how long to wait for its answer
     */
    LockHealthIndicator(LockRegistry locks, LongSupplier nanoTime, Duration interval, Duration patience) {
        this.locks = locks;
        this.answer = new RecentAnswer<>(this::askTable, nanoTime, interval, patience);
    }

    @Override
    public Health health() {
        Health.Builder health = new Health.Builder();
        describe(health);
        answer.get()
                .orElse(unknown ->
                        problem(unknown.unknown(), "The table has not answered yet.", "Ask again in a few seconds."))
                .accept(health);
        return health.build();
    }

    private void describe(Health.Builder health) {
        health.withDetail(
                "table", locks.admin().table().map(LockTable::name).orElse("none, the locks live in this process"));
        LockAdmin.Session session = locks.admin().session().orElse(null);
        health.withDetail("session", session == null ? "idle" : "alive");
        if (session != null) {
            health.withDetail("owner", session.owner());
            health.withDetail("lastHeartbeat", session.lastHeartbeat().toString());
            health.withDetail("remaining", session.remaining().toString());
        }
        health.withDetail("held", locks.admin().held().size());
        health.withDetail("waiting", locks.admin().waiting());
    }

    private Consumer<Health.Builder> askTable() {
        try {
            locks.admin().inspect(KEY, NAMESPACE);
            String clockProblem = locks.admin().clockProblem().orElse(null);
            return clockProblem == null
                    ? Health.Builder::up
                    : health -> problem(
                            health.down(), clockProblem, "Set the clock of this machine. It becomes UP by itself.");
        } catch (UnsupportedOperationException noTable) {
            // As that of a test which locks nothing.
            return Health.Builder::up;
        } catch (LockClosedException closed) {
            return health -> problem(
                    health.down(), "The lock registry is closed.", "Restart the application, unless it is stopping.");
        } catch (Throwable failure) {
            return health -> problem(
                    health.down(failure),
                    "The table cannot be read, so no lock can be had. Locks that are held stay valid until their lease is"
                            + " over.",
                    "Check the network, the endpoint, the credentials and their permissions, and that the table exists; the"
                            + " error says which. It becomes UP by itself.");
        }
    }

    private static void problem(Health.Builder health, String problem, String action) {
        health.withDetail("problem", problem).withDetail("action", action);
    }
}
