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

    /** Of two requests for the same lock, the first that is exclusive, or else the first. */
    public WantedLock stronger(WantedLock other) {
        return request.mode() == LockMode.SHARED && other.request.mode() == LockMode.EXCLUSIVE ? other : this;
    }

    /** Whether the call fails, or its transaction rolls back, if the lock is lost. */
    public boolean lossMatters() {
        return declaration.onLost() != OnLost.IGNORE;
    }
}
