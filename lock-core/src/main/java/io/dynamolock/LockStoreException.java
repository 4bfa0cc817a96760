package io.dynamolock;

import io.dynamolock.store.StoreFailure;

/**
 * DynamoDB could not be reached, or refused. A caller that asked for a lock holds nothing: what a call of unknown effect may
 * have left in the table is undone in the background as soon as DynamoDB answers again. A caller that wrote
 * {@linkplain LockHandle#putData data} still holds its lock. The cause is a {@link StoreFailure}, whose
 * {@link StoreFailure#kind() kind} tells whether trying again may help, and whose own cause is the SDK's exception.
 */
public final class LockStoreException extends LockException {

    private static final long serialVersionUID = 1L;

    LockStoreException(String key, String namespace, String whatFailed, StoreFailure cause) {
        super(
                key,
                namespace,
                whatFailed + " " + LockNames.describe(key, namespace) + " failed, the lock is not held: "
                        + cause.getMessage(),
                cause);
    }

    /** For a call that is not about getting the lock. */
    LockStoreException(String key, String namespace, StoreFailure cause, String message) {
        super(key, namespace, message + " " + cause.getMessage(), cause);
    }
}
