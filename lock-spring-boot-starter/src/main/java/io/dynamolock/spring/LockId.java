package io.dynamolock.spring;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;

/** Which lock, of which registry. A key in Reactor's contexts and in reactive transactions. */
record LockId(LockRegistry registry, String namespace, String key) {

    static LockId of(LockedCall call) {
        LockRequest request = call.request();
        return new LockId(call.locks(), request.namespace(), request.key());
    }

    /** The key may be personal data, and others print contexts. */
    @Override
    public String toString() {
        return "LockId[namespace=" + namespace + "]";
    }
}
