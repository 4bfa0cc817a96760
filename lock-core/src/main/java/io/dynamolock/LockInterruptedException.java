package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** The thread was interrupted while it waited. The interrupt flag is set, the caller holds nothing. */
public final class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    LockInterruptedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
