package io.dynamolock.spring.annotation;

/**
 * What to do when a call of a {@link DynamoLocked} method takes a lock on a thread that may have read data before: its
 * persistence context, that of the request or of a caller's transaction, holds entities, or a caller's transaction
 * works on a snapshot. The method might then work on data that is older than its lock.
 */
public enum PersistenceContextCheck {

    /** Log it, once for each method, and run the method. */
    WARN,

    /** Take no lock, and throw a {@link PersistenceContextException} instead of running the method. */
    FAIL,

    /** Do not check. */
    IGNORE
}
