package io.dynamolock.spring.autoconfigure;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsServiceClientConfiguration;

/**
 * Where a client sends its calls.
 *
 * @param endpoint null for the endpoint of the region
 * @param region null for a client that does not tell
 */
record ClientPlace(@Nullable URI endpoint, @Nullable String region) {

    /** @param configuration null for a client that does not tell, such as a mock */
    static ClientPlace of(@Nullable AwsServiceClientConfiguration configuration) {
        return configuration == null
                ? new ClientPlace(null, null)
                : new ClientPlace(
                        configuration.endpointOverride().orElse(null),
                        configuration.region() == null
                                ? null
                                : configuration.region().id());
    }

    boolean isKnown() {
        return region != null;
    }

    @Override
    public String toString() {
        if (!isKnown()) {
            return "a place that its client does not tell";
        }
        return (endpoint == null ? "AWS" : endpoint) + ", region " + region;
    }
}
