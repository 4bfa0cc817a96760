package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockTableException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Says how to get the table that DynamoLock did not find as it must be. */
final class LockTableFailureAnalyzer extends AbstractFailureAnalyzer<LockTableException> {

    private final TableAdvice advice;

    LockTableFailureAnalyzer(Environment environment) {
        this.advice = new TableAdvice(environment);
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockTableException cause) {
        return new FailureAnalysis(TableAdvice.inWords(cause), advice.on(cause), cause);
    }
}
