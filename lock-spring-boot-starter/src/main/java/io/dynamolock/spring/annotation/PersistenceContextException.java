package io.dynamolock.spring.annotation;

/**
 * A {@link DynamoLocked} method was not entered, because its thread may have read data before, and such calls are
 * refused: see {@link PersistenceContextCheck#FAIL}. The call took no lock; locks that its caller already held are
 * still held. The message says what to change.
 */
public final class PersistenceContextException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public PersistenceContextException(String message) {
        super(message);
    }
}
