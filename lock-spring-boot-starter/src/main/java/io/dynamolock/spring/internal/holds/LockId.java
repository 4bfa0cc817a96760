package io.dynamolock.spring.internal.holds;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;

/** Which lock, of which registry: as threads, Reactor's contexts and reactive transactions know what they hold. */
public record LockId(LockRegistry registry, String namespace, String key) {

    /** The lock for which the registry is asked. */
    public static LockId of(LockRegistry registry, LockRequest request) {
        return new LockId(registry, request.namespace(), request.key());
    }

    /** The key may be personal data, and others print contexts. */
    @Override
    public String toString() {
        return "LockId[namespace=" + namespace + "]";
    }
}
