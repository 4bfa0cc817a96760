package io.dynamolock.internal.engine;

/** Why a lock was lost. */
public enum LossReason {
    /** No heartbeat got through for a lease, or another process expired the session. */
    SESSION_LOST,
    /** The longest hold the caller allowed itself is over. */
    MAX_HOLD,
    /** The table names another holder: somebody changed the lock item by hand. */
    TAKEN_AWAY,
    /** An operator had the lock taken from its holder. */
    EVICTED,
    /** The registry was closed. */
    CLOSED,
    /** The engine was paused. */
    PAUSED;

    /** Whether this process gave it up itself, and takes out of queues what it has there, or has it kept there. */
    public boolean isOwnWish() {
        return this == CLOSED || this == PAUSED;
    }
}
