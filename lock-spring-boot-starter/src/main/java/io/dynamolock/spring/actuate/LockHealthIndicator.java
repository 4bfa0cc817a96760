package io.dynamolock.spring.actuate;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.spring.internal.Daemons;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether this process can have locks: its table answers, and its clock is right. A process that uses no lock yet is well if the
 * table answers; that is found out by one read of a lock that nobody takes. It says nothing about liveness: a restart mends no
 * table. Thread-safe.
 */
final class LockHealthIndicator implements HealthIndicator {

    private final LockRegistry locks;
    private final LongSupplier nanoTime;
    private final Duration interval;
    private final Duration patience;

    private @Nullable CompletableFuture<Consumer<Health.Builder>> asked;
    private long askedAt;
    private volatile Consumer<Health.Builder> lastAnswer =
            health -> problem(health.unknown(), "The table has not answered yet.", "Ask again in a few seconds.");

    /**
     * @param nanoTime as {@link System#nanoTime}
     * @param interval how old what the table has answered may be
     * @param patience how long to wait for its answer; after that, the last one is told
     */
    LockHealthIndicator(LockRegistry locks, LongSupplier nanoTime, Duration interval, Duration patience) {
        this.locks = locks;
        this.nanoTime = nanoTime;
        this.interval = interval;
        this.patience = patience;
    }

    @Override
    public Health health() {
        Health.Builder health = new Health.Builder()
                .withDetail(
                        "table",
                        locks.admin().table().map(LockTable::name).orElse("none, the locks live in this process"))
                .withDetail(
                        "session",
                        locks.admin().session().<Object>map(session -> session).orElse("idle"))
                .withDetail("held", locks.admin().held().size())
                .withDetail("waiting", locks.admin().waiting());
        answer().copy()
                .completeOnTimeout(lastAnswer, patience.toNanos(), TimeUnit.NANOSECONDS)
                .join()
                .accept(health);
        return health.build();
    }

    /** Asks on a thread of its own, and only if nobody is asking and the last answer is too old. */
    private synchronized CompletableFuture<Consumer<Health.Builder>> answer() {
        long now = nanoTime.getAsLong();
        if (asked == null || asked.isDone() && now - askedAt > interval.toNanos()) {
            askedAt = now;
            asked = CompletableFuture.supplyAsync(this::askTable, Daemons.each("dynamolock-health-"))
                    .whenComplete((answer, never) -> lastAnswer = answer);
        }
        return asked;
    }

    private Consumer<Health.Builder> askTable() {
        try {
            locks.admin().inspect("health", "dynamolock-health");
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
