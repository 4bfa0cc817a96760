package io.dynamolock.spring.annotation;

/**
 * A {@link DynamoLocked} method was not entered, because its thread may have read before, and such calls are refused:
 * see {@link PersistenceContextCheck#FAIL}. The call took no lock; the locks that its caller held before are still
 * held. The message says what to change.
 */
public final class PersistenceContextException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public PersistenceContextException(String message) {
        super(message);
    }
}
