package io.dynamolock.internal.testbed;

import io.dynamolock.LockRequest;
import io.dynamolock.internal.protocol.LockKey;

/** How messages to the author of a test name a lock. */
final class LockDescription {

    private LockDescription() {}

    static String of(LockKey lock) {
        return "lock '" + lock.key() + "'"
                + (lock.namespace().equals(LockRequest.DEFAULT_NAMESPACE)
                        ? ""
                        : " in namespace '" + lock.namespace() + "'");
    }
}
