package io.dynamolock;

import io.dynamolock.store.StoreFailure;
import java.time.Duration;

/**
 * DynamoDB could not be reached, or refused. Where a lock was asked for, the caller holds nothing: what a call of unknown
 * effect may have left in the table is undone in the background as soon as DynamoDB answers again. Where a lock was
 * {@linkplain LockRegistry#inspect(String, String) looked at}, the question has no answer; a lock that is held stays
 * held. The cause is a {@link StoreFailure}, whose {@link StoreFailure#kind() kind} tells whether trying again may help,
 * and whose own cause is the SDK's exception.
 */
public final class LockStoreException extends LockException {

    private static final long serialVersionUID = 1L;

    private LockStoreException(String key, String namespace, String whatFailed, StoreFailure cause) {
        super(key, namespace, whatFailed + ": " + cause.getMessage(), cause);
    }

    static LockStoreException ofAcquisition(String key, String namespace, Duration waited, StoreFailure cause) {
        return new LockStoreException(
                key,
                namespace,
                "After " + waited + ", acquiring the " + LockNames.describe(key, namespace)
                        + " failed, the lock is not held",
                cause);
    }

    static LockStoreException ofInspection(String key, String namespace, StoreFailure cause) {
        return new LockStoreException(
                key,
                namespace,
                "Inspecting the " + LockNames.describe(key, namespace)
                        + " failed, so who holds it is not known; nothing about it was changed",
                cause);
    }
}
