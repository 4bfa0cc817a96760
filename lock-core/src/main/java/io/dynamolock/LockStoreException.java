package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** DynamoDB could not be reached, or refused. */
public final class LockStoreException extends LockException {

    private static final long serialVersionUID = 1L;

    LockStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
