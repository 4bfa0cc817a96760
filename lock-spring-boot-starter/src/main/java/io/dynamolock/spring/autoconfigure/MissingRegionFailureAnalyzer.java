package io.dynamolock.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Names the ways to set a region. */
final class MissingRegionFailureAnalyzer extends AbstractFailureAnalyzer<MissingRegionException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, MissingRegionException cause) {
        return new FailureAnalysis(
                "DynamoLock does not know in which AWS region its table is. " + cause.getMessage(),
                "Set dynamo-lock.aws.region, or the region in one of the ways of the AWS SDK, such as the environment"
                        + " variable AWS_REGION. For development without AWS, set dynamo-lock.store=embedded, or"
                        + " dynamo-lock.aws.endpoint to a local address: " + LocalEndpoints.RULE + ".",
                cause);
    }
}
