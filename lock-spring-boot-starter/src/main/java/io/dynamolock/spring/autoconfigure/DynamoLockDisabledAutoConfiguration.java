package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.aspect.DynamoLockedAdvisorConfiguration;
import io.dynamolock.spring.internal.registry.LockRegistryConfiguration;
import io.dynamolock.spring.unlocked.AlwaysGrantingRegistry;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Switches locks off without taking anything away: there is a registry, it grants every request at once, and all that
 * needs a registry works. Makes no call to DynamoDB.
 */
@AutoConfiguration(before = DynamoLockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", havingValue = false)
@EnableConfigurationProperties(DynamoLockProperties.class)
@Import({
    DynamoLockDisabledAutoConfiguration.OwnRegistriesSecond.class,
    LockRegistryConfiguration.class,
    DynamoLockedAdvisorConfiguration.class,
    MessagesConfiguration.class
})
public final class DynamoLockDisabledAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLockDisabledAutoConfiguration.class);

    DynamoLockDisabledAutoConfiguration() {}

    /**
     * Primary, so that annotations, adapters and injection points without a qualifier get it even if the application
     * declares a registry. Never lazy, so that the warning is logged at start.
     */
    @Bean
    @Primary
    @Lazy(false)
    @ConditionalOnMissingBean
    AlwaysGrantingRegistry dynamoLockRegistry() {
        LOG.warn("dynamolock.enabled=false: nothing is locked. In this process, every lock is granted at once and every"
                + " leader leads, beside the other processes that hold these locks or lead. Where this is not"
                + " meant, look for the property in the environment, too: DYNAMOLOCK_ENABLED");
        return AlwaysGrantingRegistry.create();
    }

    /** Takes primacy from registries of the application: of two primary ones, neither would be injected. */
    static final class OwnRegistriesSecond implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importer, BeanDefinitionRegistry registry) {
            if (registry instanceof ListableBeanFactory beans) {
                Stream.of(beans.getBeanNamesForType(LockRegistry.class, true, false))
                        .filter(registry::containsBeanDefinition)
                        .filter(name -> !name.equals("dynamoLockRegistry"))
                        .forEach(name -> registry.getBeanDefinition(name).setPrimary(false));
            }
        }
    }
}
