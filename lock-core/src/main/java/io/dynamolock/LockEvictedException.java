package io.dynamolock;

import io.dynamolock.internal.Internals;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * An operator took the caller out of the queue while it waited, by {@link LockAdmin#evict}. The caller holds nothing,
 * and waits no longer. It may try again, at the end of the queue. But since an operator did not want it to wait, try
 * again only if you know that this is right.
 */
public final class LockEvictedException extends LockException {

    private static final long serialVersionUID = 1L;

    private final Duration waited;

    /**
     * @param key what was to be locked
     * @param namespace the lock's namespace
     * @param name the lock's {@linkplain LockRequest#name(String) name}, which stands in the message if keys are hidden
     * @param waited how long the caller waited
     */
    public LockEvictedException(String key, String namespace, String name, Duration waited) {
        super(
                key,
                namespace,
                "An operator took this caller out of the queue of the " + Internals.describe(key, namespace, name)
                        + " after it had waited " + waited.truncatedTo(ChronoUnit.MILLIS)
                        + " (LockAdmin.evict; the log of this process says who it was, if the operator gave a name)."
                        + " The lock is not held. Talk to whoever operates the locks before you try again.",
                null);
        this.waited = waited;
    }

    /** How long the caller waited. */
    public Duration waited() {
        return waited;
    }
}
