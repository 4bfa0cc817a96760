package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockTableException;
import io.dynamolock.spring.annotation.InvalidAnnotationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;

/** Shows what is wrong with the set-up, an annotation or the table without the stack of the context's start. */
final class DynamoLockFailureAnalyzer implements FailureAnalyzer {

    private final TableAdvice advice;

    DynamoLockFailureAnalyzer(Environment environment) {
        this.advice = new TableAdvice(environment);
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidSetUpException setUp) {
                return new FailureAnalysis(setUp.problem(), setUp.remedy(), setUp);
            } else if (cause instanceof InvalidAnnotationException annotation) {
                return new FailureAnalysis(annotation.problem(), annotation.remedy(), annotation);
            } else if (cause instanceof LockTableException table) {
                return new FailureAnalysis(TableAdvice.inWords(table), advice.on(table), table);
            }
        }
        return null;
    }
}
