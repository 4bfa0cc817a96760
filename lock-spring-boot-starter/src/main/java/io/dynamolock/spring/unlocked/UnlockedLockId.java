package io.dynamolock.spring.unlocked;

import io.dynamolock.LockMessages;
import io.dynamolock.LockRequest;

/** Identifies one lock of an unlocked registry. {@link #toString()} is for messages. */
record UnlockedLockId(String key, String namespace) {

    static UnlockedLockId of(LockRequest request) {
        return new UnlockedLockId(request.key(), request.namespace());
    }

    @Override
    public String toString() {
        return "lock " + LockMessages.key(key, namespace) + " in namespace '" + namespace + "'";
    }
}
