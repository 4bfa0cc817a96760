package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** The wait was over before the lock was granted. The caller holds nothing. */
public final class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    LockTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
