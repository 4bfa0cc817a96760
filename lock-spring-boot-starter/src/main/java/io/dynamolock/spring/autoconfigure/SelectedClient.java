package io.dynamolock.spring.autoconfigure;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.AwsClient;
import software.amazon.awssdk.awscore.AwsServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The client that {@link ClientSelector} has selected for the locks.
 *
 * @param client a blocking client, whose calls cost less, or an asynchronous one
 * @param why the reason for choosing this client, in words
 */
record SelectedClient(AwsClient client, String why) {

    /** A client bean of the application with this name or qualifier is for the locks. */
    static final String USER_BEAN = "dynamoLockClient";

    /** The name of the client bean that the starter makes if the application has no client for the locks. */
    static final String STARTER_BEAN = "dynamoLockDynamoDbClient";

    /**
     * A new builder of a registry that uses this client.
     *
     * @throws InvalidSetUpException if it is a client of DAX
     */
    LockRegistryBuilder registryBuilder() {
        try {
            return client instanceof DynamoDbClient blocking
                    ? LockRegistry.builder(blocking)
                    : LockRegistry.builder((DynamoDbAsyncClient) client);
        } catch (InvalidSettingException dax) {
            throw new InvalidSetUpException(
                    String.valueOf(dax.getMessage()),
                    "Declare a client of DynamoDB with the name or the qualifier " + USER_BEAN
                            + ", or set dynamolock.aws.region, so that the locks get a client of their own.");
        }
    }

    /** The endpoint that the client was given; null if it uses the endpoint of its region, or does not tell. */
    @Nullable
    URI endpoint() {
        AwsServiceClientConfiguration known = configuration();
        return known == null ? null : known.endpointOverride().orElse(null);
    }

    /** The region; null if the client does not tell. */
    @Nullable
    String region() {
        AwsServiceClientConfiguration known = configuration();
        return known == null || known.region() == null ? null : known.region().id();
    }

    /** The configuration; null if the client does not tell, such as a mock. */
    private @Nullable AwsServiceClientConfiguration configuration() {
        try {
            return client.serviceClientConfiguration();
        } catch (UnsupportedOperationException itDoesNotTell) {
            return null;
        }
    }

    /** Whether the SDK looks for credentials by itself. Calls to a local address may do with any. */
    boolean letsTheSdkSearchForCredentials() {
        AwsServiceClientConfiguration known = configuration();
        URI endpoint = endpoint();
        return known != null
                && known.credentialsProvider() instanceof DefaultCredentialsProvider
                && (endpoint == null || !LocalEndpoints.contain(endpoint));
    }

    /** Where the client sends its calls, in words. */
    String place() {
        if (region() == null) {
            return "a place that its client does not tell";
        }
        return (endpoint() == null ? "AWS" : endpoint()) + ", region " + region();
    }
}
