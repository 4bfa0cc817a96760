package io.dynamolock;

import io.dynamolock.internal.protocol.LockKey;

/**
 * The registry was closed, before the call or while it waited. The caller holds nothing: closing a registry frees all
 * its locks.
 */
public final class LockClosedException extends LockException {

    private static final long serialVersionUID = 1L;

    LockClosedException(LockKey lock) {
        super(lock, "The lock registry is closed; it does not serve " + LockNames.describe(lock) + " any more.", null);
    }
}
