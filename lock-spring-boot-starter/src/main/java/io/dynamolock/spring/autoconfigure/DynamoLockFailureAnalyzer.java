package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockTableException;
import io.dynamolock.spring.annotation.InvalidAnnotationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Shows what is wrong with the set-up, an annotation or the table, without the stack trace of the start. */
final class DynamoLockFailureAnalyzer implements FailureAnalyzer {

    private final Environment environment;

    DynamoLockFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidSetUpException setUp) {
                return new FailureAnalysis(setUp.problem(), setUp.remedy(), setUp);
            } else if (cause instanceof InvalidAnnotationException annotation) {
                return new FailureAnalysis(annotation.problem(), annotation.remedy(), annotation);
            } else if (cause instanceof LockTableException table) {
                return new FailureAnalysis(TableAdvice.inWords(table), TableAdvice.on(table, environment), table);
            } else if (cause instanceof SdkClientException && isWithoutHttpClient(cause)) {
                // The application's client is asynchronous, and the starter brings no HTTP client for it.
                return new FailureAnalysis(
                        "A client of the AWS SDK found no HTTP client. The locks bring only a blocking one,"
                                + " apache5-client.",
                        "For an asynchronous client, add the dependency software.amazon.awssdk:netty-nio-client. The"
                                + " locks themselves do not need one: they build a blocking client if the application"
                                + " has none.",
                        cause);
            }
        }
        return null;
    }

    private static boolean isWithoutHttpClient(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith("Unable to load an HTTP implementation");
    }
}
