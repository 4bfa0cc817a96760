package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.Aws;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@Conditional(StoreCondition.InTable.class)
@EnableConfigurationProperties(DynamoLockProperties.class)
public final class DynamoLockClientAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLockClientAutoConfiguration.class);

    /** A bean of its own, because it has to be closed around a checkpoint, also where the client is somebody's target. */
    @Bean(defaultCandidate = false)
    @Conditional(LockClientSource.IsOwn.class)
    LockConnections dynamoLockConnections() {
        return new LockConnections();
    }

    /** Lazy, because an application with a registry and a table of its own needs none. */
    @Bean(name = LockClient.OWN, defaultCandidate = false)
    @Lazy
    @Conditional(LockClientSource.IsOwn.class)
    DynamoDbClient dynamoLockDynamoDbClient(
            DynamoLockProperties properties,
            @Qualifier("dynamoLockConnections") LockConnections connections,
            ObjectProvider<EmbeddedStore> embedded,
            ObjectProvider<DynamoLockConnectionDetails> details,
            ObjectProvider<AwsCredentialsProvider> credentials,
            ObjectProvider<AwsRegionProvider> regions,
            Environment environment) {
        if (StoreCondition.storeOf(environment) == StoreType.EMBEDDED) {
            if (details.stream().findAny().isPresent()) {
                LOG.info(
                        "The locks do not use the connection details of this application, such as those of a container,"
                                + " because dynamolock.store is embedded. Set it to dynamodb if they are to use them.");
            }
            return ofThisProcess(LockClients.find(embedded), properties.aws().endpoint(), connections);
        }
        DynamoLockConnectionDetails ofBean = InvalidSetUpException.onlyOf(
                details,
                "Several beans say where the DynamoDB of the locks is, and none is primary",
                "Mark one of them with @Primary. Or tell a container that is not for the locks what it is for, as in"
                        + " @ServiceConnection(type = AwsConnectionDetails.class), or, with Docker Compose, by the label"
                        + " org.springframework.boot.ignore: true.");
        List<DynamoLockConnectionDetails> sources = Stream.of(ofBean, properties.aws(), SpringCloudAws.of(environment))
                .filter(Objects::nonNull)
                .toList();
        return AwsClients.client(sources, connections, credentials.getIfUnique(), regions.getIfUnique());
    }

    private static DynamoDbClient ofThisProcess(
            EmbeddedStore embedded, @Nullable URI endpoint, LockConnections connections) {
        if (endpoint != null && !LockClients.isAt(embedded, endpoint)) {
            throw new InvalidSetUpException(
                    "dynamolock.store=embedded starts a DynamoDB Local in this process at " + embedded.endpoint()
                            + ", but dynamolock.aws.endpoint says " + endpoint + ".",
                    "Set dynamolock.store=dynamodb to use that endpoint, or leave it out.");
        }
        return AwsClients.client(List.of(new Aws(null, embedded.endpoint())), connections, null, null);
    }
}
