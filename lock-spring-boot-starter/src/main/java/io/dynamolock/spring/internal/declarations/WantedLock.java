package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.OnLost;

/**
 * One lock that a call wants.
 *
 * @param method what the annotation says that wants it
 */
public record WantedLock(LockDeclaration method, LockRequest request) {

    /** Of two for the same lock: alone, if one of them wants that. */
    public WantedLock stronger(WantedLock other) {
        return request.mode() == LockMode.SHARED && other.request.mode() == LockMode.EXCLUSIVE ? other : this;
    }

    public boolean mindsLoss() {
        return method.onLost() != OnLost.IGNORE;
    }
}
