package io.dynamolock;

import io.dynamolock.internal.Internals;
import org.jspecify.annotations.Nullable;

/**
 * The registry was closed, before the call or while it waited. The caller holds nothing: closing a registry frees all
 * its locks, except those that {@link LockRequest#holdAtLeast} keeps.
 */
public final class LockClosedException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * @param key what was to be locked
     * @param namespace the lock's namespace
     * @param name the lock's {@linkplain LockRequest#name(String) name}, which stands in the message if keys are
     *     hidden; null if it is not known
     */
    public LockClosedException(String key, String namespace, @Nullable String name) {
        super(
                key,
                namespace,
                "The lock registry is closed; it does not serve " + Internals.describe(key, namespace, name)
                        + " any more.",
                null);
    }
}
