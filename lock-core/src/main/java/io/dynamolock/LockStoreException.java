package io.dynamolock;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * DynamoDB could not be reached, or refused. A caller that asked for a lock holds nothing: what a call of unknown effect may
 * have left in the table is undone in the background as soon as DynamoDB answers again. A caller that wrote
 * {@linkplain LockHandle#putData data} still holds its lock. Where a lock was
 * {@linkplain LockRegistry#inspect(String, String) inspected}, the question has no answer, and nothing was changed; where
 * an entry was to be {@linkplain LockRegistry#evict given up}, its process may be told all the same. The cause is a
 * {@link StoreFailure}, whose {@link StoreFailure#kind() kind} tells whether trying again may help, whose {@link
 * StoreFailure#throttling() throttling} tells which throughput was used up if DynamoDB throttled the call, and whose own
 * cause is the SDK's exception.
 */
public final class LockStoreException extends LockException {

    private static final long serialVersionUID = 1L;

    private LockStoreException(LockKey lock, String whatFailed, StoreFailure cause) {
        super(lock, whatFailed + ": " + cause.getMessage(), cause);
    }

    static LockStoreException ofAcquisition(LockKey lock, Duration waited, StoreFailure cause) {
        return new LockStoreException(
                lock,
                "After " + waited.truncatedTo(ChronoUnit.MILLIS) + ", acquiring the " + LockNames.describe(lock)
                        + " failed, the lock is not held",
                cause);
    }

    /** @param whatFailed a sentence without its end */
    static LockStoreException of(LockKey lock, String whatFailed, StoreFailure cause) {
        return new LockStoreException(lock, whatFailed, cause);
    }
}
