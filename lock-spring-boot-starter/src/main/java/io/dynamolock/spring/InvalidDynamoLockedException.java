package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;

/** A {@link DynamoLocked} annotation cannot work as it is written. It comes when the bean is created. */
public final class InvalidDynamoLockedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String remedy;

    InvalidDynamoLockedException(String method, String problem, String remedy, @Nullable Throwable cause) {
        super("@DynamoLocked on " + method + ": " + problem + " " + remedy, cause);
        this.problem = "@DynamoLocked on " + method + ": " + problem;
        this.remedy = remedy;
    }

    /** Which method, as class, name and parameter types, and what is wrong with its annotation. */
    public String problem() {
        return problem;
    }

    /** What to change. */
    public String remedy() {
        return remedy;
    }
}
