package io.dynamolock.spring.internal.holds;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;

/**
 * Identifies one lock of one registry. Threads, Reactor contexts and reactive transactions find the locks that they
 * hold by this id.
 */
public record LockId(LockRegistry registry, String namespace, String key) {

    /** The id of the lock that the request asks for. */
    public static LockId of(LockRegistry registry, LockRequest request) {
        return new LockId(registry, request.namespace(), request.key());
    }

    /** Without the key, which may be personal data: Reactor prints contexts. */
    @Override
    public String toString() {
        return "LockId[namespace=" + namespace + "]";
    }
}
