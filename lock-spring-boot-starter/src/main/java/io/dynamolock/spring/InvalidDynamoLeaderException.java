package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;

/** A {@link DynamoLeader} annotation cannot work as it is written. It comes when the application context starts. */
public final class InvalidDynamoLeaderException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String remedy;

    InvalidDynamoLeaderException(String place, String problem, String remedy, @Nullable Throwable cause) {
        super("@DynamoLeader on " + place + ": " + problem + " " + remedy, cause);
        this.problem = "@DynamoLeader on " + place + ": " + problem;
        this.remedy = remedy;
    }

    /** Which bean or method, and what is wrong with its annotation. */
    public String problem() {
        return problem;
    }

    /** What to change. */
    public String remedy() {
        return remedy;
    }
}
