package io.dynamolock.spring.unlocked;

import io.dynamolock.LockRequest;

/** Which lock. Its text is for messages. */
record LockId(String key, String namespace) {

    static LockId of(LockRequest request) {
        return new LockId(request.key(), request.namespace());
    }

    @Override
    public String toString() {
        return "lock '" + key + "' in namespace '" + namespace + "'";
    }
}
