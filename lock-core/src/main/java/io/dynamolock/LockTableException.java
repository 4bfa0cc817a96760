package io.dynamolock;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The lock table is not as it must be. */
public final class LockTableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with the table. */
    public enum Problem {
        MISSING,
        WRONG_KEY_SCHEMA,
        TTL_OFF,
        ACCESS_DENIED,
        NO_CREDENTIALS,
        UNREACHABLE,
        OTHER
    }

    private final String tableName;
    private final Problem problem;

    /** @param message what is wrong and what to do */
    public LockTableException(String tableName, Problem problem, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.tableName = Objects.requireNonNull(tableName, "tableName");
        this.problem = Objects.requireNonNull(problem, "problem");
    }

    public String tableName() {
        return tableName;
    }

    public Problem problem() {
        return problem;
    }
}
