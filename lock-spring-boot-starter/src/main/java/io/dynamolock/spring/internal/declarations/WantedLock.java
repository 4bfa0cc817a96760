package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.OnLost;

/**
 * One lock that a call wants, before it holds it.
 *
 * @param declaration the annotation that asks for the lock
 */
public record WantedLock(LockDeclaration declaration, LockRequest request) {

    /** Of two wishes for the same lock, the one that wants it exclusively, or else the first. */
    public WantedLock stronger(WantedLock other) {
        return request.mode() == LockMode.SHARED && other.request.mode() == LockMode.EXCLUSIVE ? other : this;
    }

    public boolean mindsLoss() {
        return declaration.onLost() != OnLost.IGNORE;
    }
}
