package io.dynamolock.spring.unlocked;

import io.dynamolock.LockRequest;
import io.dynamolock.internal.Internals;

/** Identifies one lock of an unlocked registry. {@link #toString()} is for messages. */
record UnlockedLockId(String key, String namespace) {

    static UnlockedLockId of(LockRequest request) {
        return new UnlockedLockId(request.key(), request.namespace());
    }

    @Override
    public String toString() {
        return Internals.describe(key, namespace, null);
    }
}
