package io.dynamolock;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The lock table is not as required, or cannot be reached. The message says what is wrong and what to do. */
public final class LockTableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with the table. */
    public enum Problem {
        /** There is no table of this name in this account and region. */
        MISSING,
        /** The table's keys are not two strings of the configured names. */
        WRONG_KEY_SCHEMA,
        /** TTL is off, or on for another attribute: items of crashed processes would stay for ever. */
        TTL_OFF,
        /**
         * The table is a global table without strong consistency, and the builder was not told that only one replica is
         * used.
         */
        SEVERAL_REGIONS,
        /** The credentials do not allow the call. */
        ACCESS_DENIED,
        /** No credentials, or no region, could be found. */
        NO_CREDENTIALS,
        /** The endpoint did not answer. */
        UNREACHABLE,
        /**
         * DynamoDB answered that it could not serve the call now: too many requests, an internal error, or a wrong
         * clock of this machine.
         */
        UNAVAILABLE,
        /** Something else; see the cause. */
        OTHER
    }

    private final String tableName;
    private final Problem problem;

    /**
     * @param tableName the table's name
     * @param problem what is wrong with it
     * @param message what is wrong and what to do
     * @param cause what DynamoDB or the SDK said
     */
    public LockTableException(String tableName, Problem problem, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.tableName = Objects.requireNonNull(tableName, "tableName");
        this.problem = Objects.requireNonNull(problem, "problem");
    }

    /** The name of the table. */
    public String tableName() {
        return tableName;
    }

    /** What is wrong with it. */
    public Problem problem() {
        return problem;
    }

    /**
     * Whether DynamoDB could not serve the call. If so, the table may be all right, and the same call may work later.
     */
    public boolean isOutage() {
        return problem == Problem.UNREACHABLE || problem == Problem.UNAVAILABLE;
    }
}
