package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * The thread was interrupted before or while it waited. Its interrupt flag is set. The caller holds nothing: it has
 * left the queue, and a lock granted in the same moment is released in the background.
 */
public final class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    LockInterruptedException(String key, String namespace, @Nullable InterruptedException cause) {
        super(
                key,
                namespace,
                "Interrupted while waiting for " + LockNames.describe(key, namespace) + "; the lock is not held.",
                cause);
    }
}
