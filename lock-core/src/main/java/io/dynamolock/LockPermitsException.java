package io.dynamolock;

import io.dynamolock.internal.Internals;

/**
 * The lock has another number of permits than the caller's request: processes disagree about how many there are.
 * Nothing is held. {@link LockAdmin#setPermits} changes the number for all.
 */
public final class LockPermitsException extends LockException {

    private static final long serialVersionUID = 1L;

    private final int requested;
    private final int stored;

    /**
     * @param key what was to be locked
     * @param namespace the lock's namespace
     * @param requested the number of permits that the caller said
     * @param stored the number of permits that the table says
     */
    public LockPermitsException(String key, String namespace, int requested, int stored) {
        super(
                key,
                namespace,
                "A permit was wanted of " + requested + ", but the " + Internals.describe(key, namespace) + " has "
                        + stored + ". Use the same number everywhere, or change it for all with setPermits.",
                null);
        this.requested = requested;
        this.stored = stored;
    }

    /** The number of permits that the caller said. */
    public int requested() {
        return requested;
    }

    /** The number of permits that the table says. */
    public int stored() {
        return stored;
    }
}
