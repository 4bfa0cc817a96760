package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsClient;
import software.amazon.awssdk.awscore.AwsServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The client that the locks go through.
 *
 * @param client a blocking client, whose calls cost less, or an asynchronous one
 * @param why why this client was chosen, in words
 */
record LockClient(AwsClient client, String why) {

    /** A client bean with this name or qualifier is for the locks. */
    static final String NAME = "dynamoLockClient";

    /** The bean of the client that the starter builds. */
    static final String OWN = "dynamoLockDynamoDbClient";

    LockRegistryBuilder locks() {
        return client instanceof DynamoDbClient blocking
                ? LockRegistry.builder(blocking)
                : LockRegistry.builder((DynamoDbAsyncClient) client);
    }

    /** The endpoint; null if it is that of the region, or if the client does not tell. */
    @Nullable
    URI endpoint() {
        AwsServiceClientConfiguration known = configuration();
        return known == null ? null : known.endpointOverride().orElse(null);
    }

    /** Null for a client that does not tell. */
    @Nullable
    String region() {
        AwsServiceClientConfiguration known = configuration();
        return known == null || known.region() == null ? null : known.region().id();
    }

    /** Null for a client that does not tell, such as a mock. */
    private @Nullable AwsServiceClientConfiguration configuration() {
        try {
            return client.serviceClientConfiguration();
        } catch (UnsupportedOperationException itDoesNotTell) {
            return null;
        }
    }

    /** Where the client sends its calls, in words. */
    String place() {
        if (region() == null) {
            return "a place that its client does not tell";
        }
        return (endpoint() == null ? "AWS" : endpoint()) + ", region " + region();
    }
}
