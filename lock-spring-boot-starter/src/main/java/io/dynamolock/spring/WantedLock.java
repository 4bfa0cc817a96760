package io.dynamolock.spring;

import io.dynamolock.LockMode;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;

/**
 * One lock that a call wants.
 *
 * @param method what the annotation says that wants it
 */
record WantedLock(LockedMethod method, LockRequest request) {

    LockId id(LockRegistry registry) {
        return new LockId(registry, request.namespace(), request.key());
    }

    boolean isOn(String key, String namespace) {
        return request.key().equals(key) && request.namespace().equals(namespace);
    }

    boolean isSameAs(WantedLock other) {
        return isOn(other.request.key(), other.request.namespace());
    }

    boolean isAlone() {
        return request.mode() == LockMode.EXCLUSIVE;
    }

    boolean mindsLoss() {
        return method.onLost() != OnLost.IGNORE;
    }
}
