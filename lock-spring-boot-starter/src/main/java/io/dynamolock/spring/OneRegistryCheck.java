package io.dynamolock.spring;

import io.dynamolock.LockRegistry;
import java.util.Arrays;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * With two registries and no choice between them, every locked method would fail when it is called. Without the aspect there are
 * none.
 */
final class OneRegistryCheck implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;

    OneRegistryCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockRegistry.class);
        if (beans.getBeanNamesForType(DynamoLockedAdvisor.class).length > 0
                && names.length > 1
                && beans.getBeanProvider(LockRegistry.class).getIfUnique() == null) {
            throw new InvalidDynamoLockedException(
                    "There are several LockRegistry beans, and @DynamoLocked does not know which to use: "
                            + String.join(", ", Arrays.stream(names).sorted().toList()) + ".",
                    "Make one of them @Primary, or the others no default candidates.");
        }
    }
}
