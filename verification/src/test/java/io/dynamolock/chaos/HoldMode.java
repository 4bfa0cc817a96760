package io.dynamolock.chaos;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;

/** The way in which a lock is wanted or held. */
enum HoldMode {
    /** Alone, by a lock that all callers hold alone. Callers of one process share a place in the queue. */
    EXCLUSIVE,
    /** Alone, by a lock that others hold as readers. */
    WRITE,
    READ,
    /** By one of the permits of the lock. */
    PERMIT;

    boolean isAlone() {
        return this == EXCLUSIVE || this == WRITE;
    }

    /** Whether a hold of this mode may overlap a hold of the other. The key says how many holds may overlap. */
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
