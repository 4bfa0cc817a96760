package io.dynamolock;

import io.dynamolock.internal.Internals;

/**
 * The lock has no item in the table, and the request wants it {@linkplain LockRequest#onlyIfExists() only if it
 * exists}. The caller holds nothing, and no item was created.
 */
public final class LockNotFoundException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * @param key what was to be locked
     * @param namespace the lock's namespace
     * @param name the lock's {@linkplain LockRequest#name(String) name}, which stands in the message if keys are hidden
     */
    public LockNotFoundException(String key, String namespace, String name) {
        super(
                key,
                namespace,
                "There is no " + Internals.describe(key, namespace, name) + " in the table, and it was wanted only if"
                        + " it exists; the lock is not held.",
                null);
    }
}
