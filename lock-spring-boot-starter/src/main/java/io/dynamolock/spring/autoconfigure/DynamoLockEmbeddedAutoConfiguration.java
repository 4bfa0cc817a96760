package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import io.dynamolock.spring.embedded.EmbeddedDynamoDb;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** DynamoDB Local inside this process. */
@AutoConfiguration
@ConditionalOnClass(DynamoDbClient.class)
@ConditionalOnBooleanProperty(name = "dynamo-lock.enabled", matchIfMissing = true)
@ConditionalOnStore(StoreType.EMBEDDED)
@EnableConfigurationProperties(DynamoLockProperties.class)
public final class DynamoLockEmbeddedAutoConfiguration {

    private static final String CHATTY_LOGGER = "software.amazon.dynamodb.services.local";

    @Bean
    @ConditionalOnMissingBean
    EmbeddedDynamoDb embeddedDynamoDb(
            DynamoLockProperties properties, ObjectProvider<LoggingSystem> logging, Environment environment) {
        logging.ifAvailable(system -> calm(system, environment));
        return EmbeddedDynamoDb.start(properties.embedded().port());
    }

    /**
     * It logs two lines for every request, and a stack trace for every write whose condition fails, which is a lock's
     * daily business. Unless the application has an opinion on that.
     */
    private static void calm(LoggingSystem logging, Environment environment) {
        if (!environment.containsProperty("logging.level." + CHATTY_LOGGER)) {
            logging.setLogLevel(CHATTY_LOGGER, LogLevel.ERROR);
        }
    }
}
