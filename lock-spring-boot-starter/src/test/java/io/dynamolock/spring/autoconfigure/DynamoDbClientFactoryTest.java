package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.Aws;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;

class DynamoDbClientFactoryTest {

    private static final URI LOCAL = URI.create("http://localhost:8000");

    private static DynamoDbServiceClientConfiguration configuration(
            Aws aws, @Nullable AwsCredentialsProvider credentials, @Nullable AwsRegionProvider regions) {
        DynamoDbClient client =
                DynamoDbClientFactory.create(List.of(aws), new RestartableHttpClient(), credentials, regions);
        client.close();
        return client.serviceClientConfiguration();
    }

    private static AwsCredentialsIdentity credentials(DynamoDbServiceClientConfiguration configuration) {
        return (AwsCredentialsIdentity)
                configuration.credentialsProvider().resolveIdentity().join();
    }

    @Test
    void propertiesComeFirst() {
        DynamoDbServiceClientConfiguration configuration = configuration(
                new Aws("eu-west-1", LOCAL), AnonymousCredentialsProvider.create(), () -> Region.AP_EAST_1);
        assertThat(configuration.region()).isEqualTo(Region.EU_WEST_1);
        assertThat(configuration.endpointOverride()).contains(LOCAL);
    }

    @Test
    void theApplicationsProvidersComeAfterTheProperties() {
        AwsBasicCredentials mine = AwsBasicCredentials.create("mine", "secret");
        DynamoDbServiceClientConfiguration configuration =
                configuration(new Aws(null, LOCAL), StaticCredentialsProvider.create(mine), () -> Region.AP_EAST_1);
        assertThat(configuration.region()).isEqualTo(Region.AP_EAST_1);
        assertThat(credentials(configuration)).isEqualTo(mine);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost:8000",
                "http://127.0.0.1:8000",
                "http://[::1]:8000",
                "http://172.17.0.2:8000",
                "http://192.168.49.2:8000",
                "http://host.docker.internal:8000",
                "http://dynamodb-local:8000",
                "http://localhost.localstack.cloud:4566",
                "http://APP.localhost:8000",
                "http://10.1.2.3",
                "http://169.254.1.1:8000",
                "http://[0:0:0:0:0:0:0:1]:8000",
                "http://[fe80::1]:8000",
                "http://[fe80::1%25eth9]:8000",
                "http://[fd12:3456::1]:8000",
                "http://[::ffff:10.0.0.1]:8000"
            })
    void aLocalEndpointNeedsNothingElse(URI endpoint) {
        DynamoDbServiceClientConfiguration configuration = configuration(new Aws(null, endpoint), null, null);
        assertThat(configuration.region()).isNotNull();
        assertThat(credentials(configuration).accessKeyId()).isEqualTo("local");
    }

    /** As the one of Spring Cloud AWS does, which is always there. */
    @Test
    void aLocalEndpointNeedsNoRegionFromAProviderThatHasNone() {
        DynamoDbServiceClientConfiguration configuration = configuration(new Aws(null, LOCAL), null, () -> {
            throw SdkClientException.create("Looked everywhere.");
        });
        assertThat(configuration.region()).isNotNull();
    }

    /** As in {@code region: ${AWS_REGION:}}. */
    @Test
    void anEmptyPropertyCountsAsNotSet() {
        DynamoDbServiceClientConfiguration configuration =
                configuration(new Aws(" ", LOCAL), null, () -> Region.AP_EAST_1);
        assertThat(configuration.region()).isEqualTo(Region.AP_EAST_1);
        assertThat(credentials(configuration).accessKeyId()).isEqualTo("local");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://dynamodb.example:8000",
                "https://dynamodb.eu-west-1.amazonaws.com",
                "https://172.32.0.1:8000",
                "https://11.0.0.1:8000"
            })
    void httpsMayGoAnywhereAndGetsNoMadeUpCredentialsThere(URI endpoint) {
        DynamoDbServiceClientConfiguration configuration = configuration(new Aws("eu-west-1", endpoint), null, null);
        assertThat(configuration.endpointOverride()).contains(endpoint);
        assertThat(configuration.credentialsProvider()).isNotInstanceOf(StaticCredentialsProvider.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://dynamodb.example:8000",
                "HTTP://dynamodb.eu-west-1.amazonaws.com",
                "http://10.0.0.1.example",
                "http://172.32.0.1:8000",
                "http://[2001:db8::1]:8000",
                "http://[::ffff:11.0.0.1]:8000"
            })
    void plainHttpIntoOthersNetworksIsRefused(URI endpoint) {
        assertThatExceptionOfType(InvalidSetUpException.class)
                .isThrownBy(() -> configuration(new Aws("eu-west-1", endpoint), null, null))
                .satisfies(refusal -> {
                    assertThat(refusal.problem()).contains("go to " + endpoint + " by plain HTTP");
                    assertThat(refusal.remedy()).contains("a client bean named dynamoLockClient");
                });
    }

    @Test
    void plainHttpIsRefusedAlsoWhereTheSdkFindsTheEndpoint() {
        System.setProperty("aws.endpointUrlDynamoDb", "http://dynamodb.example");
        try {
            assertThatExceptionOfType(InvalidSetUpException.class)
                    .isThrownBy(() -> configuration(new Aws("eu-west-1", null), null, null));
        } finally {
            System.clearProperty("aws.endpointUrlDynamoDb");
        }
    }

    @Test
    void aCallIsNeverRepeatedByTheClientItself() {
        assertThat(configuration(new Aws(null, LOCAL), null, null)
                        .overrideConfiguration()
                        .retryStrategy()
                        .orElseThrow()
                        .maxAttempts())
                .isEqualTo(1);
    }
}
