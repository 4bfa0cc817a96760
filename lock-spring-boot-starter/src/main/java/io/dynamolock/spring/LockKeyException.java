package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;

/** The key or the condition of a {@link DynamoLocked} call cannot be used. No lock was taken and the method was not entered. */
public final class LockKeyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    LockKeyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
