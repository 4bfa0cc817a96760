package io.dynamolock.spring.aspect;

import io.dynamolock.LockMode;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.OnLost;

/**
 * One lock that a call wants.
 *
 * @param method what the annotation says that wants it
 */
record WantedLock(LockedMethod method, LockRequest request) {

    LockId id(LockRegistry registry) {
        return new LockId(registry, request.namespace(), request.key());
    }

    /** Of two for the same lock: alone, if one of them wants that. */
    WantedLock stronger(WantedLock other) {
        return request.mode() == LockMode.SHARED && other.request.mode() == LockMode.EXCLUSIVE ? other : this;
    }

    boolean mindsLoss() {
        return method.onLost() != OnLost.IGNORE;
    }
}
