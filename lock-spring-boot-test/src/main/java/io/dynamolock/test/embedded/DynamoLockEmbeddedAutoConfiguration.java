package io.dynamolock.test.embedded;

import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import io.dynamolock.spring.autoconfigure.EmbeddedStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * DynamoDB Local inside this process, with {@code dynamolock.store=embedded}. Also where locks are switched off,
 * because the application may keep data of its own there.
 */
@AutoConfiguration(before = DynamoLockAutoConfiguration.class)
@Conditional(EmbeddedStoreCondition.class)
public final class DynamoLockEmbeddedAutoConfiguration {

    private static final String CHATTY_LOGGER = "software.amazon.dynamodb.services.local";

    @Bean
    @ConditionalOnMissingBean(EmbeddedStore.class)
    EmbeddedDynamoDb embeddedDynamoDb(ObjectProvider<LoggingSystem> logging, Environment environment) {
        logging.ifAvailable(system -> calm(system, environment));
        return EmbeddedDynamoDb.start(port(environment));
    }

    /** The starter checks that the port is valid. */
    private static int port(Environment environment) {
        return Binder.get(environment)
                .bind("dynamolock.embedded.port", Integer.class)
                .orElse(0);
    }

    /**
     * DynamoDB Local logs two lines for every request, and a stack trace for every write whose condition fails, which
     * is normal for locks. Keeps the level that the application has set, if any.
     */
    private static void calm(LoggingSystem logging, Environment environment) {
        if (!environment.containsProperty("logging.level." + CHATTY_LOGGER)) {
            logging.setLogLevel(CHATTY_LOGGER, LogLevel.ERROR);
        }
    }
}
