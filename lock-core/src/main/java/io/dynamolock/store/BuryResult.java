package io.dynamolock.store;

/** The answer to an attempt to bury a session. */
public enum BuryResult {
    /** The session's item is gone, by this call or before it. */
    DEAD,
    /** The session has beaten since; nothing was changed. */
    ALIVE
}
