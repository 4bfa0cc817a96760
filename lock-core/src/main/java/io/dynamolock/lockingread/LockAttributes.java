package io.dynamolock.lockingread;

import java.util.Set;

/** The names of the four attributes that are a lock. */
record LockAttributes(String token, String owner, String until, String lease) {

    static final LockAttributes DEFAULT = new LockAttributes("lockToken", "lockedBy", "lockedUntil", "lockLease");

    Set<String> names() {
        return Set.of(token, owner, until, lease);
    }
}
