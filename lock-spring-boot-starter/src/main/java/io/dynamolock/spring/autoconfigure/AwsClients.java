package io.dynamolock.spring.autoconfigure;

import java.net.URI;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Builds the client: properties first, over which the application's connection details were laid, then those of Spring
 * Cloud AWS, then the application's providers, then the SDK's own search. It is a blocking one, of which a call costs least, and repeats nothing by itself, because the locks know what is worth repeating.
 */
final class AwsClients {

    /** DynamoDB Local takes any. */
    private static final AwsCredentials ANY_CREDENTIALS = AwsBasicCredentials.create("local", "local");

    private static final Region ANY_REGION = Region.US_EAST_1;

    /** As the SDK has it. */
    private static final int USUAL_CONNECTIONS = 50;

    /** For heartbeats, reads for people, and work on the table, which are not counted among the calls in flight. */
    private static final int SPARE_CONNECTIONS = 8;

    /** Clean-up has a quarter as many calls as what callers wait for. */
    private static final int SHARE_OF_CLEAN_UP = 4;

    private AwsClients() {}

    /**
     * @param connections of this client alone
     * @param details the earlier first; each is asked only for what the properties and those before it leave out
     * @throws MissingRegionException if no source knows the region
     * @throws InvalidSetUpException if it would go to others' networks without encryption, and nothing allows that
     */
    static DynamoDbClient client(
            DynamoLockProperties.Aws aws,
            List<? extends DynamoLockConnectionDetails> details,
            LockConnections connections,
            @Nullable AwsCredentialsProvider credentials,
            @Nullable AwsRegionProvider regions) {
        DynamoDbClientBuilder builder = builder(connections, aws.profile());
        URI endpoint = aws.endpoint() != null ? aws.endpoint() : first(details, DynamoLockConnectionDetails::endpoint);
        if (endpoint != null) {
            builder.endpointOverride(endpoint);
        }
        boolean local = endpoint != null && LocalEndpoints.contain(endpoint) && aws.profile() == null;
        builder.region(region(aws, details, regions, local));
        AwsCredentials given = given(aws, details);
        if (given != null) {
            builder.credentialsProvider(StaticCredentialsProvider.create(given));
        } else if (credentials != null && aws.profile() == null) {
            builder.credentialsProvider(credentials);
        } else if (local) {
            builder.credentialsProvider(StaticCredentialsProvider.create(ANY_CREDENTIALS));
        }
        DynamoDbClient client = builder.build();
        if (!aws.allowHttp()) {
            refusePlainHttp(client);
        }
        return client;
    }

    /** Asks the client, because the SDK may have found the endpoint by itself. */
    private static void refusePlainHttp(DynamoDbClient client) {
        client.serviceClientConfiguration()
                .endpointOverride()
                .filter(endpoint -> "http".equalsIgnoreCase(endpoint.getScheme()) && !LocalEndpoints.contain(endpoint))
                .ifPresent(endpoint -> {
                    client.close();
                    throw new InvalidSetUpException(
                            "The locks would go to " + endpoint + " by plain HTTP, where whoever is on the way can read"
                                    + " them, and answer in DynamoDB's place.",
                            "Use https. Or, if the way is safe, allow it with dynamo-lock.aws.allow-http=true. Only a"
                                    + " local endpoint needs neither: " + LocalEndpoints.RULE + ".");
                });
    }

    /** The SDK's own search is done here, because the client would do it too, and fail with a riddle. */
    private static Region region(
            DynamoLockProperties.Aws aws,
            List<? extends DynamoLockConnectionDetails> details,
            @Nullable AwsRegionProvider regions,
            boolean local) {
        if (aws.region() != null) {
            return Region.of(aws.region());
        }
        String ofDetails = aws.profile() != null ? null : first(details, DynamoLockConnectionDetails::region);
        if (ofDetails != null) {
            return Region.of(ofDetails);
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
            if (local && regions != null) {
                // Spring Cloud AWS always has a provider, also where there is no region to provide.
                return ANY_REGION;
            }
            throw new MissingRegionException(e);
        }
    }

    private static @Nullable AwsCredentials given(
            DynamoLockProperties.Aws aws, List<? extends DynamoLockConnectionDetails> details) {
        if (aws.accessKeyId() != null && aws.secretAccessKey() != null) {
            return credentials(aws.accessKeyId(), aws.secretAccessKey(), aws.sessionToken());
        }
        if (aws.profile() != null) {
            return null;
        }
        for (DynamoLockConnectionDetails each : details) {
            String id = each.accessKeyId();
            String secret = each.secretAccessKey();
            if (id != null && secret != null) {
                return credentials(id, secret, null);
            }
        }
        return null;
    }

    private static <T> @Nullable T first(
            List<? extends DynamoLockConnectionDetails> details,
            Function<DynamoLockConnectionDetails, @Nullable T> setting) {
        for (DynamoLockConnectionDetails each : details) {
            T value = setting.apply(each);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /** A client of a DynamoDB Local on this machine. */
    static DynamoDbClient localClient(URI endpoint, LockConnections connections) {
        return builder(connections, null)
                .endpointOverride(endpoint)
                .region(ANY_REGION)
                .credentialsProvider(StaticCredentialsProvider.create(ANY_CREDENTIALS))
                .build();
    }

    private static DynamoDbClientBuilder builder(LockConnections connections, @Nullable String profile) {
        return DynamoDbClient.builder().httpClientBuilder(connections).overrideConfiguration(override -> {
            override.retryStrategy(AwsRetryStrategy.doNotRetry());
            if (profile != null) {
                override.defaultProfileName(profile);
            }
        });
    }

    static LockConnections connections(int callsInFlight) {
        return new LockConnections(mostConnections(callsInFlight));
    }

    static int mostConnections(int callsInFlight) {
        return Math.max(USUAL_CONNECTIONS, callsInFlight + callsInFlight / SHARE_OF_CLEAN_UP + SPARE_CONNECTIONS);
    }

    private static AwsCredentials credentials(String id, String secret, @Nullable String sessionToken) {
        return sessionToken == null
                ? AwsBasicCredentials.create(id, secret)
                : AwsSessionCredentials.create(id, secret, sessionToken);
    }
}
