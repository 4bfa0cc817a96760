package io.dynamolock;

import io.dynamolock.internal.protocol.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * The thread was interrupted before or while it waited. Its interrupt flag is set. A caller that asked for a lock holds
 * nothing: it has left the queue, and a lock granted in the same moment is released in the background. A caller that wrote
 * {@linkplain LockHandle#putData data} still holds its lock.
 */
public final class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    /** For a call that is not about getting the lock. */
    LockInterruptedException(LockKey lock, String message, InterruptedException cause) {
        super(lock, message, cause);
    }

    LockInterruptedException(LockKey lock, @Nullable InterruptedException cause) {
        super(lock, "Interrupted while waiting for " + LockNames.describe(lock) + "; the lock is not held.", cause);
    }
}
