package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedAsyncClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The connection to DynamoDB, unless the application or Spring Cloud AWS has one. */
@AutoConfiguration(
        after = DynamoLockEmbeddedAutoConfiguration.class,
        afterName = {
            "io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration",
            "io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration",
            "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration"
        })
@ConditionalOnClass({DynamoDbClient.class, DynamoDbEnhancedClient.class})
@ConditionalOnBooleanProperty(name = "dynamo-lock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DynamoLockProperties.class)
public final class DynamoLockClientAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean({DynamoDbClient.class, DynamoDbAsyncClient.class})
    @ConditionalOnStore(StoreType.DYNAMODB)
    DynamoDbClient dynamoDbClient(
            DynamoLockProperties properties,
            ObjectProvider<AwsCredentialsProvider> credentials,
            ObjectProvider<AwsRegionProvider> regions) {
        return AwsClients.client(
                properties.aws(), properties.maxCallsInFlight(), credentials.getIfUnique(), regions.getIfUnique());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(DynamoDbClient.class)
    DynamoDbEnhancedClient dynamoDbEnhancedClient(DynamoDbClient client) {
        return DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(DynamoDbAsyncClient.class)
    DynamoDbEnhancedAsyncClient dynamoDbEnhancedAsyncClient(DynamoDbAsyncClient client) {
        return DynamoDbEnhancedAsyncClient.builder().dynamoDbClient(client).build();
    }
}
