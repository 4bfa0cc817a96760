package io.dynamolock.store.dynamodb;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The calls of the store on a user's client, each sent once and ended in time, however the client itself is set up.
 * A request can override the retries of its client only by a plugin.
 */
final class SingleAttemptClient implements DynamoDbAsyncClient {

    /** This one setting; the client's others stay. To copy them all took a quarter of the time that sending a call takes. */
    private static final ClientOverrideConfiguration NO_RETRY = ClientOverrideConfiguration.builder()
            .retryStrategy(AwsRetryStrategy.doNotRetry())
            .build();

    private static final SdkPlugin SEND_ONCE = configuration -> configuration.overrideConfiguration(NO_RETRY);

    private final DynamoDbAsyncClient client;
    private final Duration callTimeout;
    private volatile @Nullable Instant lastAnsweredAt;

    SingleAttemptClient(DynamoDbAsyncClient client, Duration callTimeout) {
        this.client = client;
        this.callTimeout = callTimeout;
    }

    @Override
    public CompletableFuture<UpdateItemResponse> updateItem(UpdateItemRequest request) {
        return client.updateItem(
                request.toBuilder().overrideConfiguration(once(request)).build());
    }

    @Override
    public CompletableFuture<PutItemResponse> putItem(PutItemRequest request) {
        return client.putItem(
                        request.toBuilder().overrideConfiguration(once(request)).build())
                .whenComplete((response, failure) -> {
                    if (response != null) {
                        rememberDate(response.sdkHttpResponse());
                    }
                });
    }

    /** What the {@code Date} header of the latest answer to a put said, to the second. */
    Optional<Instant> lastAnsweredAt() {
        return Optional.ofNullable(lastAnsweredAt);
    }

    private void rememberDate(@Nullable SdkHttpResponse response) {
        if (response == null) {
            return;
        }
        response.firstMatchingHeader("Date").ifPresent(date -> {
            try {
                lastAnsweredAt = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
            } catch (DateTimeException e) {
                lastAnsweredAt = null;
            }
        });
    }

    @Override
    public CompletableFuture<GetItemResponse> getItem(GetItemRequest request) {
        return client.getItem(
                request.toBuilder().overrideConfiguration(once(request)).build());
    }

    @Override
    public CompletableFuture<DeleteItemResponse> deleteItem(DeleteItemRequest request) {
        return client.deleteItem(
                request.toBuilder().overrideConfiguration(once(request)).build());
    }

    @Override
    public CompletableFuture<QueryResponse> query(QueryRequest request) {
        return client.query(
                request.toBuilder().overrideConfiguration(once(request)).build());
    }

    @Override
    public DynamoDbServiceClientConfiguration serviceClientConfiguration() {
        return client.serviceClientConfiguration();
    }

    @Override
    public String serviceName() {
        return client.serviceName();
    }

    /** Leaves the user's client open. */
    @Override
    public void close() {}

    private AwsRequestOverrideConfiguration once(DynamoDbRequest request) {
        Optional<AwsRequestOverrideConfiguration> configuration = request.overrideConfiguration();
        return configuration
                .map(AwsRequestOverrideConfiguration::toBuilder)
                .orElseGet(AwsRequestOverrideConfiguration::builder)
                .apiCallTimeout(callTimeout)
                .addPlugin(SEND_ONCE)
                .build();
    }
}
