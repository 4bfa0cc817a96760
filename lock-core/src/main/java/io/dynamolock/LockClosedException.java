package io.dynamolock;

import io.dynamolock.internal.Internals;

/**
 * The registry was closed, before the call or while it waited. The caller holds nothing: closing a registry frees all
 * its locks, except those that {@link LockRequest#holdAtLeast} keeps.
 */
public final class LockClosedException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * @param key what was to be locked
     * @param namespace the lock's namespace
     */
    public LockClosedException(String key, String namespace) {
        super(
                key,
                namespace,
                "The lock registry is closed; it does not serve " + Internals.describe(key, namespace) + " any more.",
                null);
    }
}
