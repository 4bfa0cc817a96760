package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * The thread was interrupted before or while it waited. Its interrupt flag is set. A caller that wanted a lock holds
 * nothing and waits no longer; a lock granted at the same moment is released in the background. A caller that was
 * writing {@linkplain LockHandle#putData data} or {@linkplain LockHandle#downgrade going on as a reader} still holds
 * its lock.
 */
public final class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * @param key what the call was about
     * @param namespace the lock's namespace
     * @param message what was interrupted, and whether the lock is held
     * @param cause the interrupt
     */
    public LockInterruptedException(
            String key, String namespace, String message, @Nullable InterruptedException cause) {
        super(key, namespace, message, cause);
    }
}
