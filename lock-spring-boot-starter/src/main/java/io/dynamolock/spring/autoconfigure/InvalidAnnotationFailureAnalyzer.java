package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.annotation.InvalidAnnotationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows an annotation that cannot work without the stack of the context's start. */
final class InvalidAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidAnnotationException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, InvalidAnnotationException cause) {
        return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
    }
}
