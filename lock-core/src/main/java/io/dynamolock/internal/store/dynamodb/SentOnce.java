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
 * Makes a client send a request once and end it in time, however the client is set up. A request can override the
 * retries of its client only by a plugin, which costs 22 KiB of garbage with each request; for a client without retries
 * none is needed.
 */
final class SentOnce {

    /** This one setting; the client's others stay. To copy them all takes a quarter of the time of sending a call. */
    private static final ClientOverrideConfiguration NO_RETRY = ClientOverrideConfiguration.builder()
            .retryStrategy(AwsRetryStrategy.doNotRetry())
            .build();

    private static final SdkPlugin SEND_ONCE = configuration -> configuration.overrideConfiguration(NO_RETRY);

    private final DynamoDbAsyncClient client;
    private final Duration callTimeout;
    private volatile @Nullable AwsRequestOverrideConfiguration configuration;

    SentOnce(DynamoDbAsyncClient client, Duration callTimeout) {
        this.client = client;
        this.callTimeout = callTimeout;
    }

    Duration callTimeout() {
        return callTimeout;
    }

    /** For every request to this client. The client is first asked about itself when it is needed. */
    AwsRequestOverrideConfiguration configuration() {
        AwsRequestOverrideConfiguration known = configuration;
        if (known == null) {
            AwsRequestOverrideConfiguration.Builder once =
                    AwsRequestOverrideConfiguration.builder().apiCallTimeout(callTimeout);
            known = (retries() ? once.addPlugin(SEND_ONCE) : once).build();
            configuration = known;
        }
        return known;
    }

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
