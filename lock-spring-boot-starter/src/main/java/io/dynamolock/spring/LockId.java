package io.dynamolock.spring;

import io.dynamolock.LockRegistry;

/** Which lock, of which registry: as threads, Reactor's contexts and reactive transactions know what they hold. */
record LockId(LockRegistry registry, String namespace, String key) {

    /** The key may be personal data, and others print contexts. */
    @Override
    public String toString() {
        return "LockId[namespace=" + namespace + "]";
    }
}
