package io.dynamolock.spring.internal.holds;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;

/**
 * Which lock of which registry: the key by which threads, Reactor contexts and reactive transactions find what they
 * hold.
 */
public record LockId(LockRegistry registry, String namespace, String key) {

    /** The lock for which the registry is asked. */
    public static LockId of(LockRegistry registry, LockRequest request) {
        return new LockId(registry, request.namespace(), request.key());
    }

    /** Without the key, which may be personal data: Reactor prints contexts. */
    @Override
    public String toString() {
        return "LockId[namespace=" + namespace + "]";
    }
}
