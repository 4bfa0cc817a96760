package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/** Creates or checks the table of every registry bean of this context, as the properties say, before it is used. */
final class LockTableCheck implements BeanPostProcessor {

    /** The name of its registry bean. */
    private static final String OF_STARTER = "dynamoLockRegistry";

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<DynamoLockProperties> properties;
    private final TableAdvice advice;
    private final Executor threads;

    LockTableCheck(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<DynamoLockProperties> properties,
            Environment environment,
            Executor threads) {
        this.beans = beans;
        this.properties = properties;
        this.advice = new TableAdvice(environment);
        this.threads = threads;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof LockRegistry registry) {
            tableOf(registry, beanName.equals(OF_STARTER)).ifPresent(this::prepare);
        }
        return bean;
    }

    /** Of the starter's registry, the bean: the starter's, or one that the application has put in its place. */
    private Optional<LockTable> tableOf(LockRegistry registry, boolean isOfStarter) {
        return isOfStarter
                ? onlyBean().or(registry.admin()::table)
                : registry.admin().table().or(this::onlyBean);
    }

    private Optional<LockTable> onlyBean() {
        String[] names = beans.getBeanNamesForType(LockTable.class, true, false);
        return names.length == 1 ? Optional.of(beans.getBean(names[0], LockTable.class)) : Optional.empty();
    }

    private void prepare(LockTable table) {
        DynamoLockProperties settings = properties.getObject();
        new TableAtStart(
                        table,
                        settings.table().check(),
                        settings.table().checkTimeout(),
                        settings.createsTable(),
                        advice,
                        threads)
                .prepare();
    }
}
