package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTableException.Problem;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.TableCheck;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Checks the table of every registry bean of this context before it is used, and creates it if it is to. What is wrong with the
 * table or the set-up stops the start if the property says so. An outage never does: a fleet must come up while DynamoDB is away,
 * and what it locks is tried when it is needed.
 */
final class LockTableCheck implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(LockTableCheck.class);

    /** The name of the starter's registry bean. */
    private static final String OF_STARTER = "dynamoLockRegistry";

    /** Without its table no lock works, and a DynamoDB Local that has just been started may be slow. */
    private static final Duration TIMEOUT_TO_CREATE = Duration.ofMinutes(1);

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<DynamoLockProperties> properties;
    private final TableAdvice advice;
    private final Duration timeout;

    /** @param timeout after which a check counts as an outage, unless the table is to be created */
    LockTableCheck(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<DynamoLockProperties> properties,
            Environment environment,
            Duration timeout) {
        this.beans = beans;
        this.properties = properties;
        this.advice = new TableAdvice(environment);
        this.timeout = timeout;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof LockRegistry registry) {
            tableOf(registry, beanName.equals(OF_STARTER)).ifPresent(table -> {
                DynamoLockProperties settings = properties.getObject();
                prepare(table, settings.table().check(), settings.createsTable());
            });
        }
        return bean;
    }

    /** Of the starter's registry, the bean: the starter's, or one that the application has put in its place. */
    private Optional<LockTable> tableOf(LockRegistry registry, boolean isOfStarter) {
        return isOfStarter ? onlyBean().or(registry::table) : registry.table().or(this::onlyBean);
    }

    private Optional<LockTable> onlyBean() {
        String[] names = beans.getBeanNamesForType(LockTable.class, true, false);
        return names.length == 1 ? Optional.of(beans.getBean(names[0], LockTable.class)) : Optional.empty();
    }

    /** @throws LockTableException if that is to stop the start */
    void prepare(LockTable table, TableCheck check, boolean creates) {
        if (check == TableCheck.NEVER && !creates) {
            return;
        }
        try {
            checkOrCreate(table, check, creates);
        } catch (LockTableException problem) {
            if (problem.isOutage()) {
                LOG.warn(
                        "The lock table '{}' was not checked{}: DynamoDB could not be asked. {} The application starts all"
                                + " the same, and tries its locks when it needs them. If DynamoDB is not away: {}",
                        table.name(),
                        creates ? ", nor created if it is missing" : "",
                        problem.getMessage(),
                        advice.on(problem));
            } else if (check == TableCheck.FAIL || Thread.currentThread().isInterrupted()) {
                throw problem;
            } else {
                LOG.warn(
                        "{} The application starts all the same, because dynamo-lock.table.check is {}. {}",
                        TableAdvice.inWords(problem),
                        check.name().toLowerCase(Locale.ROOT),
                        advice.on(problem));
            }
        }
    }

    private void checkOrCreate(LockTable table, TableCheck check, boolean creates) {
        try {
            check(table, creates ? TIMEOUT_TO_CREATE : timeout);
        } catch (LockTableException problem) {
            if (!creates || !mayBeMissing(problem)) {
                throw problem;
            } else if (check == TableCheck.NEVER) {
                table.create();
            } else {
                table.createIfMissing();
            }
        }
    }

    /** A table whose TTL is off may be one that another process is creating. */
    private static boolean mayBeMissing(LockTableException problem) {
        return switch (problem.problem()) {
            case MISSING, TTL_OFF, ACCESS_DENIED -> true;
            default -> false;
        };
    }

    /** On another thread, because nobody knows how long a table, its client or a name server takes to give up. */
    private static void check(LockTable table, Duration timeout) {
        FutureTask<Boolean> check = new FutureTask<>(table::check, true);
        Thread thread = new Thread(check, "dynamo-lock-table-check");
        thread.setDaemon(true);
        thread.start();
        try {
            check.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException noAnswer) {
            throw failed(table, Problem.UNREACHABLE, "There was no answer within " + timeout + ".", noAnswer);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw failed(table, Problem.OTHER, "The check of the table was interrupted.", interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof LockTableException problem) {
                throw problem;
            }
            throw failed(table, Problem.OTHER, "It could not be checked: " + failed.getCause(), failed);
        } finally {
            check.cancel(true);
        }
    }

    private static LockTableException failed(LockTable table, Problem problem, String message, Exception cause) {
        return new LockTableException(table.name(), problem, message, cause);
    }
}
