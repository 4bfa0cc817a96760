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
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.type.AnnotationMetadata;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Switches locks off without taking anything away: there is a registry, it grants every request at once, and all that
 * needs a registry works. The client and the table of the locks are there for code that asks for them. Makes no call to
 * DynamoDB.
 */
@AutoConfiguration(before = DynamoLockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", havingValue = false)
@EnableConfigurationProperties(DynamoLockProperties.class)
@Import({
    DynamoLockDisabledAutoConfiguration.OwnRegistriesSecond.class,
    LockRegistryConfiguration.class,
    DynamoLockedAdvisorConfiguration.class,
    LocksConfigurer.class,
    MessagesConfiguration.class
})
public final class DynamoLockDisabledAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLockDisabledAutoConfiguration.class);

    /** A name of its own, because a registry of the application may have the name of the starter's. */
    private static final String UNLOCKED = "dynamoLockUnlockedRegistry";

    /** The name of the starter's registry where locks are on. */
    private static final String LOCKING = "dynamoLockRegistry";

    DynamoLockDisabledAutoConfiguration() {}

    /** Where locks are on, the client and the table exist under the same conditions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DynamoDbClient.class)
    @ConditionalOnMissingBean(LockRegistry.class)
    @Conditional(NotInMemory.class)
    @Import(ClientAndTable.class)
    static class OnRequest {}

    static final class NotInMemory extends NoneNestedConditions {

        NotInMemory() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty(name = "dynamolock.store", havingValue = "memory")
        static final class InMemory {}
    }

    /**
     * Primary, so that annotations, adapters and injection points without a qualifier get it even if the application
     * declares a registry. Never lazy, so that the warning is logged at start.
     */
    @Bean(UNLOCKED)
    @Primary
    @Lazy(false)
    @ConditionalOnMissingBean
    AlwaysGrantingRegistry dynamoLockUnlockedRegistry() {
        LOG.warn("dynamolock.enabled=false: nothing is locked. In this process, every lock is granted at once and every"
                + " leader leads, beside the other processes that hold these locks or lead. Where this is not"
                + " meant, look for the property in the environment, too: DYNAMOLOCK_ENABLED");
        return AlwaysGrantingRegistry.create();
    }

    /**
     * Takes primacy from registries of the application: of two primary ones, neither would be injected. Without a
     * registry of the application, whoever asks for the starter's registry by its name gets the unlocked one.
     */
    static final class OwnRegistriesSecond implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importer, BeanDefinitionRegistry registry) {
            if (registry instanceof ListableBeanFactory beans) {
                Stream.of(beans.getBeanNamesForType(LockRegistry.class, true, false))
                        .filter(registry::containsBeanDefinition)
                        .filter(name -> !name.equals(UNLOCKED))
                        .forEach(name -> registry.getBeanDefinition(name).setPrimary(false));
            }
            if (registry.containsBeanDefinition(UNLOCKED) && !registry.containsBeanDefinition(LOCKING)) {
                registry.registerAlias(UNLOCKED, LOCKING);
            }
        }
    }
}
