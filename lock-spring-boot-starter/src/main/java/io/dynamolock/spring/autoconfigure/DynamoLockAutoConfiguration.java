package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockTable;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.aspect.DynamoLockedAdvisorConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import io.dynamolock.spring.internal.registry.LockRegistryConfiguration;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The registry with its table and its client. Beans of the application win. */
@AutoConfiguration(
        afterName = {
            "io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration",
            "io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration",
            "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DynamoLockProperties.class)
@Import({
    LockRegistryConfiguration.class,
    DynamoLockedAdvisorConfiguration.class,
    LocksConfigurer.class,
    MessagesConfiguration.class
})
public final class DynamoLockAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLockAutoConfiguration.class);

    @Bean
    static PropertyCheck dynamoLockPropertyCheck(Environment environment) {
        return new PropertyCheck(environment);
    }

    @Bean
    static LockTableCheck dynamoLockTableCheck(
            ObjectProvider<LockTable> tables,
            ObjectProvider<DynamoLockProperties> properties,
            Environment environment) {
        return new LockTableCheck(tables, properties, environment, Duration.ofSeconds(10));
    }

    /** Locks in the memory of this process. */
    @Configuration(proxyBeanMethods = false)
    @Order(1)
    @ConditionalOnProperty(name = "dynamolock.store", havingValue = "memory")
    @ConditionalOnMissingBean(LockRegistry.class)
    static class InMemory {

        /** Never lazy, so that the warning is logged at start. */
        @Bean
        @Lazy(false)
        LockRegistry dynamoLockRegistry(ObjectProvider<InMemoryLockStore> store, LocksConfigurer configurer) {
            warnOfOneProcess("memory", "");
            return configurer.build(
                    RegistryBuilder.of(store.getIfAvailable(InMemoryLockStore::new)), LockRegistryBuilder::build);
        }
    }

    /**
     * Locks in a table. Applies to every other value of the property, because there must always be a registry: without
     * a registry, annotated methods would run without locks.
     */
    @Configuration(proxyBeanMethods = false)
    @Order(2)
    @ConditionalOnClass(DynamoDbClient.class)
    @ConditionalOnMissingBean(LockRegistry.class)
    @Import(ClientAndTable.class)
    static class InTable {

        /** Never lazy, so that the table is checked at start. */
        @Bean
        @Lazy(false)
        LockRegistry dynamoLockRegistry(
                SelectedClient client, LockTable table, LocksConfigurer configurer, DynamoLockProperties properties) {
            return configurer.build(client.registryBuilder(), builder -> {
                // Logged, because processes with different tables, prefixes or namespaces do not exclude each other.
                LOG.info(
                        "Locks are kept in table '{}' at {}, by {}; {}",
                        table.name(),
                        client.place(),
                        client.why(),
                        summary(builder));
                if (properties.store() == StoreType.EMBEDDED) {
                    warnOfOneProcess("embedded", ", unless it goes to " + client.endpoint());
                }
                return builder.build();
            });
        }
    }

    private static String summary(LockRegistryBuilder builder) {
        return builder instanceof RegistryBuilder ours ? ours.summary() : "";
    }

    /** Also logged in tests, which cannot be distinguished from production. */
    private static void warnOfOneProcess(String store, String unless) {
        LOG.warn(
                "dynamolock.store={}: locks are kept in this process, and no other process is excluded{}",
                store,
                unless);
    }
}
