package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockTable;
import io.dynamolock.internal.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.aspect.LockRegistryConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.awscore.AwsClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The registry and its table, unless the application has its own. */
@AutoConfiguration(after = DynamoLockClientAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DynamoLockProperties.class)
@Import(LockRegistryConfiguration.class)
public final class DynamoLockAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLockAutoConfiguration.class);

    @Bean
    static PropertyCheck dynamoLockPropertyCheck(ConfigurableEnvironment environment) {
        return new PropertyCheck(environment);
    }

    @Bean
    static LockTableCheck dynamoLockTableCheck(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<DynamoLockProperties> properties,
            Environment environment) {
        return new LockTableCheck(beans, properties, environment);
    }

    @Bean
    @Lazy
    LocksConfigurer dynamoLocksConfigurer(
            DynamoLockProperties properties,
            Environment environment,
            ObjectProvider<LockRegistryBuilderCustomizer> customizers) {
        return new LocksConfigurer(properties, environment, customizers);
    }

    /** Locks in a table. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DynamoDbClient.class)
    @Conditional(StoreCondition.InTable.class)
    static class InTable {

        /** Lazy, because an application with a registry and a table of its own needs none. */
        @Bean
        @Lazy
        LockClient dynamoLockClientChoice(
                ConfigurableListableBeanFactory beans,
                @Qualifier(LockClient.OWN) ObjectProvider<DynamoDbClient> own,
                @Qualifier(LockClient.NAME) ObjectProvider<AwsClient> named,
                ObjectProvider<DynamoDbClient> blocking,
                ObjectProvider<DynamoDbAsyncClient> async,
                DynamoLockProperties properties,
                ObjectProvider<EmbeddedStore> embedded,
                Environment environment) {
            EmbeddedStore inThisProcess =
                    StoreCondition.storeOf(environment) == StoreType.EMBEDDED ? LockClients.find(embedded) : null;
            return new LockClients(own, named, blocking, async, properties.aws(), inThisProcess)
                    .choose(LockClientSource.of(beans, environment));
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnMissingBean(LockRegistry.class)
        static class Registry {

            @Bean
            @ConditionalOnMissingBean
            LockTable dynamoLockTable(LockClient client, LocksConfigurer configurer) {
                return configurer.build(client.locks(), LockRegistryBuilder::table);
            }

            /** Never lazy, so that the table is checked at start. */
            @Bean
            @Lazy(false)
            LockRegistry dynamoLockRegistry(
                    LockClient client, LockTable table, LocksConfigurer configurer, Environment environment) {
                // A fleet of which a half uses another table shares no lock.
                LOG.info("Locks are kept in table '{}' at {}, by {}", table.name(), client.place(), client.why());
                if (StoreCondition.storeOf(environment) == StoreType.EMBEDDED) {
                    StoreOfThisProcess.warn("embedded", ", unless it goes to " + client.endpoint());
                }
                return configurer.build(client.locks(), LockRegistryBuilder::build);
            }
        }
    }

    /** Locks in the memory of this process. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(StoreCondition.InMemory.class)
    @ConditionalOnMissingBean(LockRegistry.class)
    static class InMemory {

        @Bean
        @ConditionalOnMissingBean
        InMemoryLockStore dynamoLockStore() {
            return new InMemoryLockStore();
        }

        /** Never lazy, so that the warning comes at start. */
        @Bean
        @Lazy(false)
        LockRegistry dynamoLockRegistry(InMemoryLockStore store, LocksConfigurer configurer) {
            StoreOfThisProcess.warn("memory", "");
            return configurer.build(RegistryBuilder.of(store), LockRegistryBuilder::build);
        }
    }
}
