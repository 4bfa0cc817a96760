package io.dynamolock;

import io.dynamolock.internal.Internals;

/**
 * The registry is {@linkplain LockAdmin#pause() paused}, and the caller does not wait. The caller holds nothing, and it
 * is not known who holds the lock.
 */
public final class LockPausedException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * @param key what was to be locked
     * @param namespace the lock's namespace
     * @param name the lock's {@linkplain LockRequest#name(String) name}, which stands in the message if keys are hidden
     */
    public LockPausedException(String key, String namespace, String name) {
        super(
                key,
                namespace,
                "The lock registry is paused, so it does not acquire the " + Internals.describe(key, namespace, name)
                        + ", and the caller does not wait. Call resume() first, or wait for longer than zero: who waits enters"
                        + " the queue after resume().",
                null);
    }
}
