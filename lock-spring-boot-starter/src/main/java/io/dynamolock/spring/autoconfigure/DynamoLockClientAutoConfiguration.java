package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import java.net.URI;
import java.util.List;
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
            refuseOther(
                    inThisProcess, "dynamo-lock.aws.endpoint", properties.aws().endpoint());
            ConnectionDetailsOfLocks.ofApplication(details)
                    .forEach(each ->
                            refuseOther(inThisProcess, "the DynamoLockConnectionDetails bean", each.endpoint()));
            return AwsClients.localClient(inThisProcess.endpoint(), connections);
        }
        DynamoLockConnectionDetails ours = ConnectionDetailsOfLocks.only(details);
        SpringCloudAws cloud = SpringCloudAws.in(beans, environment);
        return AwsClients.client(
                ours == null ? properties.aws() : DetailsOverProperties.of(ours, properties.aws()),
                cloud == null ? List.of() : List.of(cloud),
                connections,
                credentials.getIfUnique(),
                regions.getIfUnique());
    }

    private static void refuseOther(EmbeddedStore embedded, String who, @Nullable URI endpoint) {
        if (endpoint != null && endpoint.getPort() != embedded.endpoint().getPort()) {
            throw new InvalidSetUpException(
                    "dynamo-lock.store=embedded starts a DynamoDB Local in this process at " + embedded.endpoint()
                            + ", but " + who + " says " + endpoint + ".",
                    "Set dynamo-lock.store=dynamodb to use that endpoint, or leave it out.");
        }
    }
}
