package io.dynamolock.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Explains why the application's asynchronous client cannot be built: the starter brings no HTTP client for it. */
final class MissingHttpClientFailureAnalyzer extends AbstractFailureAnalyzer<SdkClientException> {

    private static final String MESSAGE = "Unable to load an HTTP implementation";

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SdkClientException cause) {
        if (cause.getMessage() == null || !cause.getMessage().startsWith(MESSAGE)) {
            return null;
        }
        return new FailureAnalysis(
                "A client of the AWS SDK found no HTTP client. The locks bring only a blocking one, apache5-client.",
                "For an asynchronous client, add the dependency software.amazon.awssdk:netty-nio-client. The locks"
                        + " themselves do not need one: they build a blocking client if the application has none.",
                cause);
    }
}
