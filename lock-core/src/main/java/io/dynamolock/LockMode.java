package io.dynamolock;

/** How a lock is held. */
public enum LockMode {
    /** By one caller alone. */
    EXCLUSIVE,
    /**
     * By any number of callers that share the lock. A caller that wants the lock exclusively waits for all of them, and
     * later callers that want to share it wait behind that caller.
     */
    SHARED
}
