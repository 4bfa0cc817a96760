package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.Aws;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A client of DynamoDB for the locks and for nothing else, unless they go through one of the application's. */
@AutoConfiguration(
        afterName = {
            "io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration",
            "io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration",
            "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration"
        })
@ConditionalOnClass(DynamoDbClient.class)
@ConditionalOnBooleanProperty(name = "dynamo-lock.enabled", matchIfMissing = true)
@ConditionalOnStore({StoreType.DYNAMODB, StoreType.EMBEDDED})
@EnableConfigurationProperties(DynamoLockProperties.class)
public final class DynamoLockClientAutoConfiguration {

    /** A bean of its own, because it has to be closed around a checkpoint, also where the client is somebody's target. */
    @Bean(defaultCandidate = false)
    @Conditional(OwnClientCondition.class)
    LockConnections dynamoLockConnections(DynamoLockProperties properties) {
        return AwsClients.connections(properties.maxCallsInFlight());
    }

    /** Lazy, because an application with a registry and a table of its own needs none. */
    @Bean(name = LockClient.OWN, defaultCandidate = false)
    @Lazy
    @Conditional(OwnClientCondition.class)
    DynamoDbClient dynamoLockDynamoDbClient(
            DynamoLockProperties properties,
            @Qualifier("dynamoLockConnections") LockConnections connections,
            ObjectProvider<EmbeddedStore> embedded,
            ObjectProvider<DynamoLockConnectionDetails> details,
            ObjectProvider<AwsCredentialsProvider> credentials,
            ObjectProvider<AwsRegionProvider> regions,
            ListableBeanFactory beans,
            Environment environment) {
        EmbeddedStore inThisProcess = EmbeddedStores.find(environment, embedded);
        if (inThisProcess != null) {
            refuseEndpointBesides(inThisProcess, properties.aws());
            return AwsClients.localClient(inThisProcess.endpoint(), connections);
        }
        List<DynamoLockConnectionDetails> sources = new ArrayList<>();
        DynamoLockConnectionDetails ours = details.getIfAvailable();
        if (ours != null) {
            refuseContradiction("endpoint", properties.aws().endpoint(), ours.endpoint());
            refuseContradiction("region", properties.aws().region(), ours.region());
            sources.add(ours);
        }
        SpringCloudAws cloud = SpringCloudAws.in(beans, environment);
        if (cloud != null) {
            sources.add(cloud);
        }
        return AwsClients.client(
                properties.aws(), sources, connections, credentials.getIfUnique(), regions.getIfUnique());
    }

    private static void refuseEndpointBesides(EmbeddedStore embedded, Aws aws) {
        if (aws.endpoint() != null
                && aws.endpoint().getPort() != embedded.endpoint().getPort()) {
            throw new InvalidSetUpException(
                    "dynamo-lock.store=embedded starts a DynamoDB Local in this process at " + embedded.endpoint()
                            + ", but dynamo-lock.aws.endpoint is " + aws.endpoint() + ".",
                    "Set dynamo-lock.store=dynamodb to use that endpoint, or remove dynamo-lock.aws.endpoint.");
        }
    }

    private static void refuseContradiction(String what, @Nullable Object property, @Nullable Object ofDetails) {
        if (property != null && ofDetails != null && !Objects.equals(property, ofDetails)) {
            throw new InvalidSetUpException(
                    "dynamo-lock.aws." + what + " is " + property + ", but the DynamoLockConnectionDetails bean says "
                            + ofDetails + ".",
                    "Remove the one or the other.");
        }
    }
}
