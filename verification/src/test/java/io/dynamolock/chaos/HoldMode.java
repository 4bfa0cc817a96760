package io.dynamolock.chaos;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;

/** In which way a lock is wanted or held. */
enum HoldMode {
    /** Alone, where all are. Callers of one process share a place in the queue. */
    EXCLUSIVE,
    /** Alone, where others read. */
    WRITE,
    READ,
    /** By one of the permits of the lock. */
    PERMIT;

    boolean isAlone() {
        return this == EXCLUSIVE || this == WRITE;
    }

    /** Whether a hold of this mode may overlap one of the other; how many may at once goes by the key. */
    boolean sharesWith(HoldMode other) {
        return this == other && !isAlone();
    }

    LockRequest request(LockRegistry locks, String key) {
        return switch (this) {
            case EXCLUSIVE -> LockRequest.of(key);
            case WRITE -> locks.readWrite(key).write().request();
            case READ -> locks.readWrite(key).read().request();
            case PERMIT -> locks.permits(key, Keys.mostTogether(key)).request();
        };
    }
}
