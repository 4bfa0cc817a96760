package io.dynamolock.spring.actuate;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.spring.internal.Daemons;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Tells whether this process can get locks: the table answers. A clock that is wrong is shown, but costs the process no
 * lock. A registry that locks nothing is neither up nor down. Reads a lock that nobody takes, so that the check works before the process uses any lock. Not for liveness
 * probes, because a restart does not repair a table. Thread-safe.
 */
final class LockHealthIndicator implements HealthIndicator {

    private final LockRegistry locks;
    /** Runs each question to the table on a new thread. */
    private final Executor questions = Daemons.each("dynamolock-health-");

    private final LongSupplier nanoTime;
    private final Duration interval;
    private final Duration patience;

    /** The last question to the table, perhaps still unanswered; null before the first. Guarded by this. */
    private @Nullable CompletableFuture<Consumer<Health.Builder>> question;

    /** When the last question was asked, by {@link #nanoTime}; without meaning before the first. Guarded by this. */
    private long askedAt;

    /** The last answer of the table, shown while it is silent. Set by each answer. */
    private volatile Consumer<Health.Builder> lastAnswer =
            health -> problem(health.unknown(), "The table has not answered yet.", "Ask again in a few seconds.");

    /**
     * @param nanoTime as {@link System#nanoTime}
     * @param interval shortest time from one question to the table to the next
     * @param patience how long to wait for an answer of the table before the last answer is shown instead
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
                        locks.admin().table().map(LockTable::name).orElse("none, other processes are not excluded"))
                .withDetail(
                        "session",
                        locks.admin().session().<Object>map(session -> session).orElse("idle"))
                .withDetail("held", locks.admin().held().size())
                .withDetail("waiting", locks.admin().waiting());
        answer().copy()
                .completeOnTimeout(lastAnswer, patience.toNanos(), TimeUnit.NANOSECONDS)
                .join()
                .accept(health);
        // After the answer: the read for it has compared the clocks.
        locks.admin().clockProblem().ifPresent(problem -> health.withDetail("clock", problem));
        return health.build();
    }

    /**
     * The answer to the last question, if the question is under way or new enough; else the answer to a new question,
     * which is asked on another thread.
     */
    private synchronized CompletableFuture<Consumer<Health.Builder>> answer() {
        long now = nanoTime.getAsLong();
        if (question == null || question.isDone() && now - askedAt > interval.toNanos()) {
            askedAt = now;
            question = CompletableFuture.supplyAsync(this::askTable, questions)
                    .whenComplete((answer, never) -> lastAnswer = answer);
        }
        return question;
    }

    private Consumer<Health.Builder> askTable() {
        try {
            locks.admin().inspect("health", "dynamolock-health");
            return Health.Builder::up;
        } catch (UnsupportedOperationException noTable) {
            return health -> problem(
                    health.unknown(),
                    "Locks are switched off in this process: every lock is granted at once, and nobody is excluded.",
                    "Unless this is meant, remove dynamolock.enabled=false, or DYNAMOLOCK_ENABLED from the environment.");
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
