package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.InvalidDynamoLockedException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows an annotation that cannot work without the stack of the bean factory. */
final class InvalidDynamoLockedFailureAnalyzer extends AbstractFailureAnalyzer<InvalidDynamoLockedException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, InvalidDynamoLockedException cause) {
        return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
    }
}
