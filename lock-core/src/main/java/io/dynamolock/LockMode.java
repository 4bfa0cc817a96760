package io.dynamolock;

/** How a lock is held. */
public enum LockMode {
    /** By one caller alone. */
    EXCLUSIVE,
    /**
     * By any number of callers who share it. A caller who wants it for itself alone waits for all of them; who comes to
     * share it after that caller waits behind it.
     */
    SHARED
}
