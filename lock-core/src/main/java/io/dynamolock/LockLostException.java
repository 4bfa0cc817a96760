package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** The lock was lost while it was held: someone else may hold it by now. */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    LockLostException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
