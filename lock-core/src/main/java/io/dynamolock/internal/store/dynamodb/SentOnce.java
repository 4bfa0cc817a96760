package io.dynamolock.internal.store.dynamodb;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Makes a client send each request once and end it within the call timeout, whatever its own settings are. Only a
 * plugin can override the retries of a client per request, and it makes 22 KiB of garbage with each request. A client
 * without retries gets no plugin.
 */
final class SentOnce {

    /** Only this setting: the client's others stay. Copying all of them would take a quarter of the time of a call. */
    private static final ClientOverrideConfiguration NO_RETRY = ClientOverrideConfiguration.builder()
            .retryStrategy(AwsRetryStrategy.doNotRetry())
            .build();

    private static final SdkPlugin SEND_ONCE = configuration -> configuration.overrideConfiguration(NO_RETRY);

    private final DynamoDbAsyncClient client;
    private final Duration callTimeout;
    /** Made by the first call of {@link #configuration}; {@code null} before it. */
    private volatile @Nullable AwsRequestOverrideConfiguration configuration;

    SentOnce(DynamoDbAsyncClient client, Duration callTimeout) {
        this.client = client;
        this.callTimeout = callTimeout;
    }

    Duration callTimeout() {
        return callTimeout;
    }

    /**
     * The configuration for every request to this client. The client is not asked for its settings before the first
     * request.
     */
    AwsRequestOverrideConfiguration configuration() {
        AwsRequestOverrideConfiguration known = configuration;
        if (known == null) {
            AwsRequestOverrideConfiguration.Builder once =
                    AwsRequestOverrideConfiguration.builder().apiCallTimeout(callTimeout);
            CredentialsOfClient credentials = CredentialsOfClient.of(client);
            if (credentials != null) {
                once.credentialsProvider(credentials);
            }
            known = (retries() ? once.addPlugin(SEND_ONCE) : once).build();
            configuration = known;
        }
        return known;
    }

    /** Whether the client repeats requests by itself, or does not tell. */
    private boolean retries() {
        try {
            return client.serviceClientConfiguration()
                    .overrideConfiguration()
                    .retryStrategy()
                    .map(RetryStrategy::maxAttempts)
                    .map(attempts -> attempts > 1)
                    .orElse(true);
        } catch (RuntimeException aClientThatDoesNotTell) {
            return true;
        }
    }
}
