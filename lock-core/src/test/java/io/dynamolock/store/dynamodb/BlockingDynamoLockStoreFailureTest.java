package io.dynamolock.store.dynamodb;

import io.dynamolock.store.LockStore;
import io.dynamolock.store.testing.EmbeddedDynamoDb;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class BlockingDynamoLockStoreFailureTest extends DynamoFailureContract<DynamoDbClient> {

    private static final SdkHttpClient HTTP = Apache5HttpClient.create();

    @AfterAll
    static void closeHttpClient() {
        HTTP.close();
    }

    @Override
    AwsClientBuilder<?, DynamoDbClient> builder(URI endpoint) {
        return EmbeddedDynamoDb.blockingClientAt(endpoint)
                .httpClientBuilder(null)
                .httpClient(HTTP);
    }

    @Override
    AwsClientBuilder<?, DynamoDbClient> builderWithOneConnection(URI endpoint, Duration patience) {
        return EmbeddedDynamoDb.blockingClientAt(endpoint)
                .httpClientBuilder(
                        Apache5HttpClient.builder().maxConnections(1).connectionAcquisitionTimeout(patience));
    }

    @Override
    AwsClientBuilder<?, DynamoDbClient> builderWithOwnConnections(URI endpoint) {
        return EmbeddedDynamoDb.blockingClientAt(endpoint);
    }

    @Override
    LockStore store(DynamoDbClient client, DynamoTableSettings settings) {
        return new DynamoLockStore(client, settings, DynamoLockStore.SENDERS);
    }

    @Override
    CompletionStage<?> listTables(DynamoDbClient client) {
        return CompletableFuture.supplyAsync(client::listTables);
    }
}
