package io.dynamolock.internal.engine;

/** Why a lock was lost. */
public enum LossReason {
    /**
     * The session is over: no heartbeat got through for a lease, another process has expired the session, or this
     * machine's wall clock has jumped or is wrong.
     */
    SESSION_LOST,
    /** The longest hold that the caller has asked for is over. */
    MAX_HOLD,
    /**
     * The entry by which the lock was held is gone from the item, and this process has not taken it out. Usually
     * somebody has changed or deleted the item by hand. Also if the engine has given the lock up because of a bug.
     */
    TAKEN_AWAY,
    /** An operator had the lock taken from its holder. */
    EVICTED,
    /** The registry was closed. */
    CLOSED,
    /** The engine was paused. */
    PAUSED;

    /** Whether the engine closes: then closing itself decides whether the entry is taken out or kept. */
    public boolean isOwnWish() {
        return this == CLOSED || this == PAUSED;
    }
}
