package io.dynamolock.test.embedded;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains at the start of an application why DynamoDB Local could not be started. */
final class EmbeddedDynamoDbFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedDynamoDbException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, EmbeddedDynamoDbException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.remedy(), cause);
    }
}
