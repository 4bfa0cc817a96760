package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** The parent of everything that can go wrong with a lock. */
public abstract class LockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
