package io.dynamolock.spring.annotation;

import org.jspecify.annotations.Nullable;

/**
 * The key or the condition of a {@link DynamoLocked} call cannot be used. No lock was taken and the method was not
 * entered.
 */
public final class LockKeyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** @param cause what went wrong with the expression, if anything did */
    public LockKeyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
