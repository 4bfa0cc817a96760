package io.dynamolock.internal.store.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Hears how many connections a client may open at most. Clients have no method that tells; but the metrics of a call
 * contain the number, if its HTTP client is Apache's or Netty's. Thread-safe.
 */
public final class ConnectionLimit implements MetricPublisher {

    /** See {@link #most()}. Set by each call that tells. */
    private volatile @Nullable Integer most;

    /** Maximum number of connections as the last call told; {@code null} if no call has told. */
    public @Nullable Integer most() {
        return most;
    }

    /**
     * The publishers for a call: this one, and those of the client, which would otherwise not hear of a call that has
     * publishers of its own.
     */
    public List<MetricPublisher> besideThoseOf(DynamoDbAsyncClient client) {
        List<MetricPublisher> publishers = new ArrayList<>();
        publishers.add(this);
        try {
            publishers.addAll(
                    client.serviceClientConfiguration().overrideConfiguration().metricPublishers());
        } catch (RuntimeException aClientThatDoesNotTell) {
            // It has none that are known.
        }
        return publishers;
    }

    @Override
    public void publish(MetricCollection metrics) {
        metrics.metricValues(HttpMetric.MAX_CONCURRENCY).stream()
                .filter(Objects::nonNull)
                .forEach(told -> most = told);
        metrics.children().forEach(this::publish);
    }

    /** Does nothing: there is nothing to close. */
    @Override
    public void close() {}
}
