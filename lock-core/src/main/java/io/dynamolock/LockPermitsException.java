package io.dynamolock;

import io.dynamolock.internal.Internals;

/**
 * The lock has a different number of permits than the caller's request: processes disagree about how many permits there
 * are. The caller holds nothing. {@link LockAdmin#setPermits} changes the number for all processes.
 */
public final class LockPermitsException extends LockException {

    private static final long serialVersionUID = 1L;

    private final int requested;
    private final int stored;

    /**
     * @param key what was to be locked
     * @param namespace the lock's namespace
     * @param name the lock's {@linkplain LockRequest#name(String) name}, which stands in the message if keys are hidden
     * @param requested the number of permits in the caller's request
     * @param stored the number of permits in the table
     */
    public LockPermitsException(String key, String namespace, String name, int requested, int stored) {
        super(
                key,
                namespace,
                "A permit was wanted of " + requested + ", but the " + Internals.describe(key, namespace, name)
                        + " has " + stored + ". Use the same number everywhere, or change it for all with setPermits.",
                null);
        this.requested = requested;
        this.stored = stored;
    }

    /** The number of permits in the caller's request. */
    public int requested() {
        return requested;
    }

    /** The number of permits in the table. */
    public int stored() {
        return stored;
    }
}
