package io.dynamolock.benchmarks.database;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * The DynamoDB with the tables, and its clients. All clients are alike: they have the same injected round trip, and the
 * same number of connections, more than any measured work can use.
 *
 * @param endpoint where the DynamoDB listens; empty for that of AWS
 * @param local whether it is DynamoDB Local, which asks for no real credentials
 * @param roundTrip added to the time of each call
 */
public record Database(Optional<URI> endpoint, Region region, boolean local, Duration roundTrip) {

    private static final int CONNECTIONS = 1_200;
    /**
     * With a thousand waiters, calls queue up at a slow database. That should slow a peer down, but not make it fail.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Shared by all asynchronous clients for the life of this JVM, because closing an event loop takes seconds. */
    private static final SdkEventLoopGroup EVENT_LOOPS =
            SdkEventLoopGroup.builder().build();

    public DynamoDbClient client(CallMeter meter) {
        return client(overrides -> overrides.addExecutionInterceptor(meter));
    }

    /** Sends each call once. */
    public DynamoDbClient clientWithoutRetries(CallMeter meter) {
        return client(
                overrides -> overrides.addExecutionInterceptor(meter).retryStrategy(AwsRetryStrategy.doNotRetry()));
    }

    private DynamoDbClient client(Consumer<ClientOverrideConfiguration.Builder> overrides) {
        return DynamoDbClient.builder()
                .applyMutation(this::address)
                .httpClient(new DelayedHttpClient(
                        Apache5HttpClient.builder()
                                .maxConnections(CONNECTIONS)
                                .connectionTimeout(PATIENCE)
                                .socketTimeout(PATIENCE)
                                .connectionAcquisitionTimeout(PATIENCE)
                                .build(),
                        roundTrip))
                .overrideConfiguration(overrides)
                .build();
    }

    public DynamoDbAsyncClient asyncClient(CallMeter meter) {
        return DynamoDbAsyncClient.builder()
                .applyMutation(this::address)
                .httpClient(new DelayedAsyncHttpClient(
                        NettyNioAsyncHttpClient.builder()
                                .maxConcurrency(CONNECTIONS)
                                .connectionTimeout(PATIENCE)
                                .readTimeout(PATIENCE)
                                .writeTimeout(PATIENCE)
                                .eventLoopGroup(EVENT_LOOPS)
                                .connectionAcquisitionTimeout(PATIENCE)
                                .build(),
                        roundTrip))
                .overrideConfiguration(configuration -> configuration.addExecutionInterceptor(meter))
                .build();
    }

    /** Makes a table with keys that are strings, billed on demand. */
    public void createTable(String name, String... keyAttributes) {
        withClient(client -> {
            List<KeySchemaElement> schema = new ArrayList<>();
            for (String attribute : keyAttributes) {
                KeyType type = schema.isEmpty() ? KeyType.HASH : KeyType.RANGE;
                schema.add(KeySchemaElement.builder()
                        .attributeName(attribute)
                        .keyType(type)
                        .build());
            }
            client.createTable(table -> table.tableName(name)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(schema)
                    .attributeDefinitions(Stream.of(keyAttributes)
                            .map(attribute -> AttributeDefinition.builder()
                                    .attributeName(attribute)
                                    .attributeType(ScalarAttributeType.S)
                                    .build())
                            .toList()));
            client.waiter().waitUntilTableExists(table -> table.tableName(name));
        });
    }

    /** Does nothing if there is no such table. */
    public void deleteTable(String name) {
        withClient(client -> {
            try {
                client.deleteTable(table -> table.tableName(name));
            } catch (ResourceNotFoundException gone) {
                // There is no such table any more.
                return;
            }
        });
    }

    private void withClient(Consumer<DynamoDbClient> work) {
        try (DynamoDbClient client = client(new CallMeter())) {
            work.accept(client);
        }
    }

    private void address(AwsClientBuilder<?, ?> builder) {
        endpoint.ifPresent(builder::endpointOverride);
        builder.region(region).credentialsProvider(credentials());
    }

    private AwsCredentialsProvider credentials() {
        return local
                ? StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"))
                : DefaultCredentialsProvider.builder().build();
    }
}
