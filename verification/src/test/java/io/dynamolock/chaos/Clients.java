package io.dynamolock.chaos;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Clients of the database. */
final class Clients {

    /** So long that only a fault makes a call take longer. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(3);

    private Clients() {}

    /** As an application has it: for the locks, which send each call once whatever the client does. */
    static DynamoDbAsyncClient usual(URI endpoint) {
        return EmbeddedDynamoDb.clientAt(endpoint).build();
    }

    /** Sends every call once: a call that is sent again by itself could land twice. */
    static DynamoDbAsyncClient impatient(URI endpoint) {
        return EmbeddedDynamoDb.clientAt(endpoint)
                .overrideConfiguration(overrides ->
                        overrides.retryStrategy(AwsRetryStrategy.doNotRetry()).apiCallTimeout(CALL_TIMEOUT))
                .build();
    }
}
