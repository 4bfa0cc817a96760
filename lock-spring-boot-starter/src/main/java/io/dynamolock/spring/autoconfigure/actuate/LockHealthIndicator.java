package io.dynamolock.spring.autoconfigure.actuate;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.spring.autoconfigure.actuate.TableProbe.Answer;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether this process can have locks: its table answers, and its clock is right. A process that uses no lock yet is well if the
 * table answers. It says nothing about liveness: a restart mends no table. Thread-safe.
 */
final class LockHealthIndicator implements HealthIndicator {

    private final LockRegistry locks;
    private final TableProbe probe;

    LockHealthIndicator(LockRegistry locks, TableProbe probe) {
        this.locks = locks;
        this.probe = probe;
    }

    @Override
    public Health health() {
        Health.Builder health = new Health.Builder();
        describe(health);
        Answer answer = probe.answer().orElse(null);
        if (answer == null) {
            return health.unknown()
                    .withDetail("problem", "The table has not answered yet.")
                    .withDetail("action", "Ask again in a few seconds.")
                    .build();
        }
        Throwable failure = answer.failure();
        if (failure instanceof LockClosedException) {
            return down(health, "The lock registry is closed.", "Restart the application, unless it is stopping.");
        }
        if (failure != null) {
            return down(
                    health.withException(failure),
                    "The table cannot be read, so no lock can be had. Locks that are held stay valid until their lease is"
                            + " over.",
                    "Check the network, the endpoint, the credentials and their permissions, and that the table exists; the"
                            + " error says which. It becomes UP by itself.");
        }
        String clockProblem = answer.clockProblem();
        if (clockProblem != null) {
            return down(health, clockProblem, "Set the clock of this machine. It becomes UP by itself.");
        }
        return health.up().build();
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

    private static Health down(Health.Builder health, String problem, String action) {
        return health.down()
                .withDetail("problem", problem)
                .withDetail("action", action)
                .build();
    }
}
