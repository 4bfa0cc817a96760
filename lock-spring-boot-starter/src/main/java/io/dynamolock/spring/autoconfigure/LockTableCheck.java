package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Creates or checks the table of every registry bean of this context, as the properties say, before it is used. */
final class LockTableCheck implements BeanPostProcessor {

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<DynamoLockProperties> properties;

    LockTableCheck(ConfigurableListableBeanFactory beans, ObjectProvider<DynamoLockProperties> properties) {
        this.beans = beans;
        this.properties = properties;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof LockRegistry registry) {
            tableOf(registry).ifPresent(this::prepare);
        }
        return bean;
    }

    /** The only one in this context: the starter's, or one that the application has put in its place. */
    private Optional<LockTable> tableOf(LockRegistry registry) {
        String[] names = beans.getBeanNamesForType(LockTable.class, true, false);
        return names.length == 1 ? Optional.of(beans.getBean(names[0], LockTable.class)) : registry.table();
    }

    private void prepare(LockTable table) {
        DynamoLockProperties settings = properties.getObject();
        if (settings.createsTable()) {
            table.createIfMissing();
        } else if (settings.table().check()) {
            table.check();
        }
    }
}
