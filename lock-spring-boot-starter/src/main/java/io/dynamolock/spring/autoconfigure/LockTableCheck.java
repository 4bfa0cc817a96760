package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTableException.Problem;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.TableCheck;
import io.dynamolock.spring.internal.Daemons;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.Environment;

/**
 * Checks the table of every registry bean of this context before the registry is used, and creates it if the properties
 * say so. A wrong table or set-up stops the start, if the property {@code dynamolock.table.check} says so. An outage of
 * DynamoDB never stops the start: a fleet must be able to start during an outage, and tries its locks when it needs
 * them.
 *
 * @param tables the table bean of the starter, or of the application if it has one; the registry of the starter uses it
 * @param limit how long a check may take
 */
record LockTableCheck(
        ObjectProvider<LockTable> tables,
        ObjectProvider<DynamoLockProperties> properties,
        Environment environment,
        Duration limit)
        implements BeanPostProcessor {

    private static final Executor CHECKS = Daemons.each("dynamolock-table-check-");
    private static final Logger LOG = LoggerFactory.getLogger(LockTableCheck.class);

    /**
     * Problems after which the table is created, if the properties say so. If TTL is off, another process may be
     * creating the table right now.
     */
    private static final Set<Problem> OF_MISSING_TABLES =
            EnumSet.of(Problem.MISSING, Problem.TTL_OFF, Problem.ACCESS_DENIED);

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof LockRegistry registry) {
            LockTable ofStarter = beanName.equals("dynamoLockRegistry") ? tables.getIfUnique() : null;
            // A mocked registry returns null for its admin.
            Optional.ofNullable(ofStarter)
                    .or(() -> Optional.ofNullable(registry.admin()).flatMap(LockAdmin::table))
                    .ifPresent(table -> prepare(table, properties.getObject()));
        }
        return bean;
    }

    private void prepare(LockTable table, DynamoLockProperties settings) {
        TableCheck check = settings.table().check();
        boolean creates = settings.createsTable();
        if (check == TableCheck.NEVER && !creates) {
            return;
        }
        try {
            checkOrCreate(table, check, creates);
        } catch (LockTableException problem) {
            if (!problem.isOutage() && check == TableCheck.FAIL) {
                throw problem;
            }
            LOG.warn(
                    "{} The application starts all the same, because {}, and tries its locks when it needs them. {}",
                    TableAdvice.inWords(problem),
                    problem.isOutage()
                            ? "an outage of DynamoDB does not stop it"
                            : "dynamolock.table.check is " + check.name().toLowerCase(Locale.ROOT),
                    TableAdvice.on(problem, environment));
        }
    }

    private void checkOrCreate(LockTable table, TableCheck check, boolean creates) {
        try {
            checkInTime(table);
        } catch (LockTableException problem) {
            if (!creates || !OF_MISSING_TABLES.contains(problem.problem())) {
                throw problem;
            } else if (check == TableCheck.NEVER) {
                table.create();
            } else {
                table.createIfMissing();
            }
        }
    }

    /** Checks on another thread, for a limited time: a check makes several calls, and each of them may take long. */
    private void checkInTime(LockTable table) {
        CompletableFuture<Void> check =
                CompletableFuture.runAsync(table::check, CHECKS).orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
        try {
            check.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TimeoutException) {
                throw new LockTableException(
                        table.name(),
                        Problem.UNREACHABLE,
                        "The check was not over after " + limit.toSeconds() + " s.",
                        e);
            }
            throw e.getCause() instanceof LockTableException problem ? problem : e;
        }
    }
}
