package io.dynamolock.spring.autoconfigure;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Builds a client that only the locks use, from the settings that {@link ClientSelector} has found. The client blocks,
 * because blocking calls cost least. It does not retry, because the locks decide which calls to repeat.
 */
final class DynamoDbClientFactory {

    /** Credentials for DynamoDB Local, which accepts any. */
    private static final AwsCredentialsProvider ANY_CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));

    private static final Region ANY_REGION = Region.US_EAST_1;

    private DynamoDbClientFactory() {}

    /**
     * @param details sources of settings; a source is asked only for settings that the sources before it leave out
     * @param credentials credentials of the application, used if the details have none; null to let the SDK search as
     *     usual
     * @param regions region provider of the application, used like {@code credentials}
     * @throws InvalidSetUpException if no source knows the region, or if calls would leave the local network without
     *     encryption
     */
    static DynamoDbClient create(
            List<DynamoLockConnectionDetails> details,
            RestartableHttpClient connections,
            @Nullable AwsCredentialsProvider credentials,
            @Nullable AwsRegionProvider regions) {
        URI endpoint = first(details, DynamoLockConnectionDetails::endpoint);
        String region = first(details, DynamoLockConnectionDetails::region);
        boolean local = endpoint != null && LocalEndpoints.contain(endpoint);
        DynamoDbClientBuilder builder = DynamoDbClient.builder()
                .httpClient(connections)
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .region(region == null ? region(regions, local) : Region.of(region));
        if (endpoint != null) {
            builder.endpointOverride(endpoint);
        }
        AwsCredentialsProvider ofDetails = first(details, DynamoLockConnectionDetails::credentials);
        if (ofDetails != null) {
            builder.credentialsProvider(ofDetails);
        } else if (credentials != null) {
            builder.credentialsProvider(credentials);
        } else if (local) {
            builder.credentialsProvider(ANY_CREDENTIALS);
        }
        DynamoDbClient client = builder.build();
        refusePlainHttp(client);
        return client;
    }

    /** Asks the client for its endpoint, because the SDK may have found one by itself. */
    private static void refusePlainHttp(DynamoDbClient client) {
        URI endpoint = client.serviceClientConfiguration().endpointOverride().orElse(null);
        if (endpoint != null && "http".equalsIgnoreCase(endpoint.getScheme()) && !LocalEndpoints.contain(endpoint)) {
            client.close();
            throw new InvalidSetUpException(
                    "The locks would go to " + endpoint
                            + " by plain HTTP, where whoever is on the way can read them, and"
                            + " answer in DynamoDB's place.",
                    "Use https. Or, if the way is safe, define a client bean named " + SelectedClient.USER_BEAN
                            + " that goes there. Only a local endpoint needs neither: " + LocalEndpoints.RULE + ".");
        }
    }

    /** Searches for the region as the SDK would. If the client searched, a failure would have an unclear message. */
    private static Region region(@Nullable AwsRegionProvider regions, boolean local) {
        if (local && regions == null) {
            return ANY_REGION;
        }
        try {
            return (regions == null ? DefaultAwsRegionProviderChain.builder().build() : regions).getRegion();
        } catch (SdkClientException e) {
            if (local) {
                // Spring Cloud AWS always has a provider, even if it knows no region.
                return ANY_REGION;
            }
            throw new InvalidSetUpException(
                    "DynamoLock does not know in which AWS region its table is. " + e.getMessage(),
                    "Set dynamolock.aws.region, or the region in one of the ways of the AWS SDK, such as the environment"
                            + " variable AWS_REGION. For development without AWS, set dynamolock.store=embedded, or"
                            + " dynamolock.aws.endpoint to a local address: " + LocalEndpoints.RULE + ".");
        }
    }

    private static <T> @Nullable T first(
            List<DynamoLockConnectionDetails> details, Function<DynamoLockConnectionDetails, @Nullable T> setting) {
        return details.stream()
                .map(setting)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
