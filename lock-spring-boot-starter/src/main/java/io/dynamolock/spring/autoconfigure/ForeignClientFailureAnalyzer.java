package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.EmbeddedClients.ForeignClientException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says how to bring the application's own client and the embedded DynamoDB together. */
final class ForeignClientFailureAnalyzer extends AbstractFailureAnalyzer<ForeignClientException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, ForeignClientException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Leave that bean out here, so that DynamoLock's takes its place; or point it to the endpoint of the"
                        + " EmbeddedDynamoDb bean; or set dynamo-lock.store=dynamodb.",
                cause);
    }
}
