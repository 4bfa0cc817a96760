package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

class DynamoStoreFailureTest extends DynamoFailureContract<DynamoDbAsyncClient> {

    /** Shared, because an HTTP client takes two seconds to close. */
    private static final SdkAsyncHttpClient HTTP = NettyNioAsyncHttpClient.create();

    @AfterAll
    static void closeHttpClient() {
        HTTP.close();
    }

    @Override
    AwsClientBuilder<?, DynamoDbAsyncClient> builder(URI endpoint) {
        return EmbeddedDynamoDb.clientAt(endpoint).httpClient(HTTP);
    }

    @Override
    AwsClientBuilder<?, DynamoDbAsyncClient> builderWithOneConnection(URI endpoint, Duration patience) {
        return EmbeddedDynamoDb.clientAt(endpoint)
                .httpClientBuilder(
                        NettyNioAsyncHttpClient.builder().maxConcurrency(1).connectionAcquisitionTimeout(patience));
    }

    @Override
    AwsClientBuilder<?, DynamoDbAsyncClient> builderWithOwnConnections(URI endpoint) {
        return EmbeddedDynamoDb.clientAt(endpoint);
    }

    @Override
    LockStore store(DynamoDbAsyncClient client, DynamoTableSettings settings) {
        return new DynamoStore(client, settings, DynamoStore.SENDERS, CallThreads.pool());
    }

    @Override
    CompletionStage<?> listTables(DynamoDbAsyncClient client) {
        return client.listTables();
    }
}
