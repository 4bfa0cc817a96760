package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** The registry was closed. */
public final class LockClosedException extends LockException {

    private static final long serialVersionUID = 1L;

    LockClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
