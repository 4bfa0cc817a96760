package io.dynamolock.spring.autoconfigure;

import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Builds the client: properties first, then the application's providers, then the SDK's own search. It is a blocking
 * one, of which a call costs least, and repeats nothing by itself, because the locks know what is worth repeating.
 */
final class AwsClients {

    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    /** DynamoDB Local takes any. */
    private static final AwsCredentials ANY_CREDENTIALS = AwsBasicCredentials.create("local", "local");

    private static final Region ANY_REGION = Region.US_EAST_1;

    /** As the SDK has it; the application may use the client too. */
    private static final int USUAL_CONNECTIONS = 50;

    /** For heartbeats and for work on the table, which are not counted among the calls in flight. */
    private static final int SPARE_CONNECTIONS = 8;

    private AwsClients() {}

    static DynamoDbClient client(
            DynamoLockProperties.Aws aws,
            int callsInFlight,
            @Nullable AwsCredentialsProvider credentials,
            @Nullable AwsRegionProvider regions) {
        DynamoDbClientBuilder builder = builder(callsInFlight, aws.profile());
        if (aws.endpoint() != null) {
            builder.endpointOverride(aws.endpoint());
        }
        boolean local = isOnThisMachine(aws.endpoint()) && aws.profile() == null;
        builder.region(region(aws, regions, local));
        if (aws.accessKeyId() != null && aws.secretAccessKey() != null) {
            builder.credentialsProvider(StaticCredentialsProvider.create(
                    credentials(aws.accessKeyId(), aws.secretAccessKey(), aws.sessionToken())));
        } else if (credentials != null && aws.profile() == null) {
            builder.credentialsProvider(credentials);
        } else if (local) {
            builder.credentialsProvider(StaticCredentialsProvider.create(ANY_CREDENTIALS));
        }
        return builder.build();
    }

    /** The SDK's own search is done here, because the client would do it too, and fail with a riddle. */
    private static Region region(DynamoLockProperties.Aws aws, @Nullable AwsRegionProvider regions, boolean local) {
        if (aws.region() != null) {
            return Region.of(aws.region());
        }
        try {
            if (aws.profile() != null) {
                return DefaultAwsRegionProviderChain.builder()
                        .profileName(aws.profile())
                        .build()
                        .getRegion();
            }
            if (regions != null) {
                return regions.getRegion();
            }
            return local
                    ? ANY_REGION
                    : DefaultAwsRegionProviderChain.builder().build().getRegion();
        } catch (SdkClientException e) {
            throw new MissingRegionException(e);
        }
    }

    /** A client of a DynamoDB Local on this machine. */
    static DynamoDbClient localClient(URI endpoint, int callsInFlight) {
        return builder(callsInFlight, null)
                .endpointOverride(endpoint)
                .region(ANY_REGION)
                .credentialsProvider(StaticCredentialsProvider.create(ANY_CREDENTIALS))
                .build();
    }

    private static DynamoDbClientBuilder builder(int callsInFlight, @Nullable String profile) {
        return DynamoDbClient.builder()
                .httpClientBuilder(Apache5HttpClient.builder().maxConnections(connections(callsInFlight)))
                .overrideConfiguration(override -> {
                    override.retryStrategy(AwsRetryStrategy.doNotRetry());
                    if (profile != null) {
                        override.defaultProfileName(profile);
                    }
                });
    }

    static int connections(int callsInFlight) {
        return Math.max(USUAL_CONNECTIONS, callsInFlight + SPARE_CONNECTIONS);
    }

    private static AwsCredentials credentials(String id, String secret, @Nullable String sessionToken) {
        return sessionToken == null
                ? AwsBasicCredentials.create(id, secret)
                : AwsSessionCredentials.create(id, secret, sessionToken);
    }

    private static boolean isOnThisMachine(@Nullable URI endpoint) {
        return endpoint != null && THIS_MACHINE.contains(endpoint.getHost());
    }
}
