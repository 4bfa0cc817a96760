package io.dynamolock;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;

/**
 * The clock of this machine is wrong: it differs from DynamoDB's by more than half of
 * {@link DynamoLocksBuilder#maxClockSkew(java.time.Duration) maxClockSkew}, so this process can hold no locks. The
 * caller holds nothing. Asking again is useless until the clock is set; {@code docs/operations.md} has more.
 */
public final class LockClockException extends LockException {

    private static final long serialVersionUID = 1L;

    LockClockException(LockKey lock, StoreFailure cause) {
        super(lock, "Did not get the " + LockNames.describe(lock) + ". " + cause.getMessage(), cause);
    }
}
