package io.dynamolock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * DynamoDB could not be reached, or refused. If the SDK threw an exception, it is among the causes.
 *
 * <ul>
 *   <li>A caller that wanted a lock holds nothing. If a call without an answer has left an entry in the table, the
 *       entry is removed in the background as soon as DynamoDB answers again.
 *   <li>A caller that was writing {@linkplain LockHandle#putData data} still holds its lock.
 *   <li>A call to {@linkplain LockAdmin#inspect(String, String) inspect} a lock has changed nothing.
 *   <li>A call to {@linkplain LockAdmin#evict evict} an entry may still have reached the process.
 * </ul>
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
     * @param isTransient whether the same call may work later
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

    /**
     * Whether the same call may work later. If not, it fails until somebody has corrected what the message names.
     * Missing credentials, permissions and tables count as transient, because they may come at any time.
     */
    public boolean isTransient() {
        return isTransient;
    }

    /**
     * Which throughput was used up, in the words of {@link LockEvent.Throttled#reason()}; empty if the call was not
     * throttled.
     */
    public Optional<String> throttling() {
        return Optional.ofNullable(throttling);
    }
}
