package io.dynamolock;

import io.dynamolock.internal.protocol.LockKey;

/**
 * The lock has no item in the table, and the request wanted it {@linkplain LockRequest#onlyIfExists() only if it exists}. The
 * caller holds nothing, and no item was made.
 */
public final class LockNotFoundException extends LockException {

    private static final long serialVersionUID = 1L;

    LockNotFoundException(LockKey lock) {
        super(
                lock,
                "There is no " + LockNames.describe(lock) + " in the table, and it was asked for only if it"
                        + " exists; the lock is not held.",
                null);
    }
}
