package io.dynamolock.chaos;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Clients of the database. */
final class Clients {

    /** Only a fault makes a call take longer. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(3);

    private Clients() {}

    /** A client as an application has it, for the locks: they send each call once, however the client is set up. */
    static DynamoDbAsyncClient usual(URI endpoint, PartialFailures failures) {
        return EmbeddedDynamoDb.clientAt(endpoint)
                .overrideConfiguration(overrides -> overrides.addExecutionInterceptor(failures))
                .build();
    }

    /** A client that sends each call once, because a repeated write could land twice. */
    static DynamoDbAsyncClient impatient(URI endpoint) {
        return EmbeddedDynamoDb.clientAt(endpoint)
                .overrideConfiguration(overrides ->
                        overrides.retryStrategy(AwsRetryStrategy.doNotRetry()).apiCallTimeout(CALL_TIMEOUT))
                .build();
    }
}
