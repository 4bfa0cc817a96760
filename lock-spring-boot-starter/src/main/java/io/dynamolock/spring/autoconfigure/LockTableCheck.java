package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.TableCheck;
import java.util.Locale;
import java.util.Optional;
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

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<DynamoLockProperties> properties;
    private final TableAdvice advice;

    LockTableCheck(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<DynamoLockProperties> properties,
            Environment environment) {
        this.beans = beans;
        this.properties = properties;
        this.advice = new TableAdvice(environment);
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
        // A mock has none.
        Optional<LockTable> its = Optional.ofNullable(registry.admin()).flatMap(LockAdmin::table);
        return isOfStarter ? onlyBean().or(() -> its) : its.or(this::onlyBean);
    }

    private Optional<LockTable> onlyBean() {
        String[] names = beans.getBeanNamesForType(LockTable.class, true, false);
        return names.length == 1 ? Optional.of(beans.getBean(names[0], LockTable.class)) : Optional.empty();
    }

    private void prepare(LockTable table, TableCheck check, boolean creates) {
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
                        sentence(problem),
                        advice.on(problem));
            } else if (check == TableCheck.FAIL || Thread.currentThread().isInterrupted()) {
                throw problem;
            } else {
                LOG.warn(
                        "{} The application starts all the same, because dynamolock.table.check is {}. {}",
                        TableAdvice.inWords(problem),
                        check.name().toLowerCase(Locale.ROOT),
                        advice.on(problem));
            }
        }
    }

    private void checkOrCreate(LockTable table, TableCheck check, boolean creates) {
        try {
            table.check();
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

    private static String sentence(LockTableException problem) {
        String message = String.valueOf(problem.getMessage());
        return message.endsWith(".") ? message : message + ".";
    }
}
