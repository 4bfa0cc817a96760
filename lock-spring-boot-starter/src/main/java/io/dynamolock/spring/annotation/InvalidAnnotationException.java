package io.dynamolock.spring.annotation;

import org.jspecify.annotations.Nullable;

/** An annotation of DynamoLock cannot work as it is written. */
public abstract sealed class InvalidAnnotationException extends IllegalStateException
        permits InvalidDynamoLeaderException, InvalidDynamoLockedException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String remedy;

    InvalidAnnotationException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem + " " + remedy, cause);
        this.problem = problem;
        this.remedy = remedy;
    }

    /**
     * Names the annotation and the bean or the method (with class, name and parameter types), and says what is wrong.
     */
    public String problem() {
        return problem;
    }

    /** What to change. */
    public String remedy() {
        return remedy;
    }
}
