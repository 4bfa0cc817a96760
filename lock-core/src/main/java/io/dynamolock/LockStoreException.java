package io.dynamolock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * DynamoDB could not be reached, or refused, or the clock of this machine is wrong: then it differs from DynamoDB's by
 * more than half of {@link LockRegistryBuilder#maxClockSkew(java.time.Duration) maxClockSkew}, so that this process can
 * hold no locks until the clock is set. A caller that wanted a lock holds nothing: what a call of unknown effect may
 * have left in the table is undone in the background as soon as DynamoDB answers again. A caller that wrote
 * {@linkplain LockHandle#putData data} still holds its lock. If the call was to
 * {@linkplain LockAdmin#inspect(String, String) inspect} a lock, nothing was changed; if it was to
 * {@linkplain LockAdmin#evict evict} an entry, its process may be told all the same. If the SDK threw an exception, it
 * is among the causes.
 */
public final class LockStoreException extends LockException {

    private static final long serialVersionUID = 1L;

    private final boolean isTransient;
    private final @Nullable String throttling;

    /**
     * @param key what the call was about; empty if it was about all locks
     * @param namespace the lock's namespace; empty if it was about several locks
     * @param message what failed, and whether the lock is held
     * @param cause what DynamoDB or the SDK said
     * @param isTransient whether the same may work later
     * @param throttling which throughput was used up, if the call was throttled
     */
    public LockStoreException(
            String key,
            String namespace,
            String message,
            @Nullable Throwable cause,
            boolean isTransient,
            @Nullable String throttling) {
        super(key, namespace, message, cause);
        this.isTransient = isTransient;
        this.throttling = throttling;
    }

    /** Whether the same may work later by itself; if not, somebody has to put something right first, which the message names. */
    public boolean isTransient() {
        return isTransient;
    }

    /** Which throughput was used up, in the words of {@link LockEvent.Throttled#reason()}; empty if the call failed for something else. */
    public Optional<String> throttling() {
        return Optional.ofNullable(throttling);
    }
}
