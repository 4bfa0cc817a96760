package io.dynamolock.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows what is wrong with the set-up without the stack of the context's start. */
final class InvalidSetUpFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSetUpException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, InvalidSetUpException cause) {
        return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
    }
}
