package io.dynamolock.spring.autoconfigure;

import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Builds the client: properties first, then the application's providers, then the SDK's own search. */
final class AwsClients {

    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    /** DynamoDB Local takes any. */
    private static final AwsCredentials ANY_CREDENTIALS = AwsBasicCredentials.create("local", "local");

    private static final Region ANY_REGION = Region.US_EAST_1;

    private AwsClients() {}

    static DynamoDbAsyncClient client(
            DynamoLockProperties.Aws aws,
            @Nullable AwsCredentialsProvider credentials,
            @Nullable AwsRegionProvider regions) {
        DynamoDbAsyncClientBuilder builder = DynamoDbAsyncClient.builder();
        if (aws.endpoint() != null) {
            builder.endpointOverride(aws.endpoint());
        }
        if (aws.profile() != null) {
            builder.overrideConfiguration(override -> override.defaultProfileName(aws.profile()));
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
    static DynamoDbAsyncClient localClient(URI endpoint) {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(endpoint)
                .region(ANY_REGION)
                .credentialsProvider(StaticCredentialsProvider.create(ANY_CREDENTIALS))
                .build();
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
