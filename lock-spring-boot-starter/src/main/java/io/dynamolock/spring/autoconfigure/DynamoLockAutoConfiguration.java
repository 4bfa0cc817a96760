package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.internal.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.LockRegistryConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The registry and its table, unless the application has its own. */
@AutoConfiguration(after = DynamoLockClientAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "dynamo-lock.enabled", matchIfMissing = true)
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
        return new LockTableCheck(beans, properties, environment, DynamoLockAutoConfiguration::runAside);
    }

    /** The application may end before it. */
    private static void runAside(Runnable task) {
        Thread aside = new Thread(task, "dynamo-lock-table-check");
        aside.setDaemon(true);
        aside.start();
    }

    @Bean
    @Lazy
    LocksConfigurer dynamoLocksConfigurer(
            DynamoLockProperties properties,
            Environment environment,
            ObjectProvider<DynamoLocksBuilderCustomizer> customizers) {
        return new LocksConfigurer(properties, environment, customizers);
    }

    /** Locks in a table. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DynamoDbClient.class)
    @ConditionalOnStore({StoreType.DYNAMODB, StoreType.EMBEDDED})
    static class InTable {

        /** Lazy, because an application with a registry and a table of its own needs none. */
        @Bean
        @Lazy
        LockClient dynamoLockClientChoice(
                ConfigurableListableBeanFactory beans,
                DynamoLockProperties properties,
                ObjectProvider<EmbeddedStore> embedded,
                Environment environment) {
            EmbeddedStore inThisProcess = EmbeddedStores.find(environment, embedded);
            return new LockClients(beans, environment, properties.aws(), inThisProcess).choose();
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnMissingBean(LockRegistry.class)
        static class Registry {

            @Bean
            @ConditionalOnMissingBean
            LockTable dynamoLockTable(LockClient client, LocksConfigurer configurer) {
                return InvalidLockSettingsException.explain(
                        () -> configurer.configure(client.locks()).table());
            }

            /** Never lazy, so that the table is checked at start. */
            @Bean
            @Lazy(false)
            LockRegistry dynamoLockRegistry(
                    LockClient client, LockTable table, LocksConfigurer configurer, Environment environment) {
                LOG.info("Locks are kept in {}", WhereLocksLive.of(table.name(), client));
                if (StoreCondition.storeOf(environment) == StoreType.EMBEDDED && !WhereLocksLive.isTest()) {
                    LOG.warn(
                            "dynamo-lock.store=embedded: locks are kept in this process, and no other process is excluded,"
                                    + " unless it goes to {}",
                            client.place().endpoint());
                }
                return InvalidLockSettingsException.explain(
                        () -> configurer.configure(client.locks()).build());
            }
        }
    }

    /** Locks in the memory of this process. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnStore(StoreType.MEMORY)
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
            if (!WhereLocksLive.isTest()) {
                LOG.warn("dynamo-lock.store=memory: locks are kept in this process, and no other process is excluded");
            }
            return InvalidLockSettingsException.explain(
                    () -> configurer.configure(RegistryBuilder.of(store)).build());
        }
    }
}
