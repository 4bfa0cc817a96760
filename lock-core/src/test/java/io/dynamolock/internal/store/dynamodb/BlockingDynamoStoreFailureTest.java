package io.dynamolock.internal.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class BlockingDynamoStoreFailureTest extends DynamoFailureContract<DynamoDbClient> {

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
        return new DynamoStore(new BlockingClient(client), settings, DynamoStore.SENDERS, CallThreads.pool());
    }

    @ParameterizedTest
    @EnumSource(names = {"TRANSMISSION", "UNMARSHALLING_BY_AN_ERROR", "EXECUTION"})
    void aCallThatFailsUnexpectedlyIsNotRepeated(Afterwards breaks) {
        fake.answers(200, "{}");
        DynamoDbClient client = built(
                builder(fake.endpoint()).overrideConfiguration(settings -> settings.addExecutionInterceptor(breaks)));
        assertThat(failure(append(client, Duration.ofSeconds(30))).isForGood()).isTrue();
    }

    @Test
    void aClosedClientWhoseTimersStillRunIsARefusal() {
        ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
        DynamoDbClient client = builderWithOwnConnections(fake.endpoint())
                .overrideConfiguration(settings -> settings.scheduledExecutorService(timers))
                .build();
        client.close();
        try {
            StoreFailure failure = failure(append(client, Duration.ofSeconds(30)));

            assertThat(failure.kind()).isEqualTo(StoreFailure.Kind.REFUSED);
            assertThat(failure).hasMessageContaining("closed");
        } finally {
            timers.shutdownNow();
        }
    }

    @Override
    CompletionStage<?> listTables(DynamoDbClient client) {
        return CompletableFuture.supplyAsync(client::listTables);
    }
}
