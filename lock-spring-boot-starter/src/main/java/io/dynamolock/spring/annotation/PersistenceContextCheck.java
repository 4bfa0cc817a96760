package io.dynamolock.spring.annotation;

/**
 * What to do when a call of a {@link DynamoLocked} method takes a lock on a thread that may have read before: its
 * persistence context, of the request or of a caller's transaction, holds entities, or a caller's transaction works on
 * a snapshot. The method would then work on what was true before it had the lock.
 */
public enum PersistenceContextCheck {

    /** Log it, once for each method, and run the method. */
    WARN,

    /** Take no lock, and throw a {@link PersistenceContextException} in the place of the method. */
    FAIL,

    /** Do not look. */
    IGNORE
}
