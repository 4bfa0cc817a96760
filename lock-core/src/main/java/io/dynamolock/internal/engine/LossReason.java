package io.dynamolock.internal.engine;

/** Why a lock was lost. */
public enum LossReason {
    /**
     * The session is over: no heartbeat got through for a lease less the drift margin, another process has expired the
     * session, or this machine's wall clock was set ahead.
     */
    SESSION_LOST,
    /** The longest hold that the caller has asked for is over. */
    MAX_HOLD,
    /**
     * The entry by which the lock was held is gone from the item, and this process has not taken it out. Usually
     * somebody has changed or deleted the item by hand. Also the reason after a bug in a step of the lock, when the
     * engine forgets the lock.
     */
    TAKEN_AWAY,
    /** An operator had the lock taken from its holder. */
    EVICTED,
    /** The registry was closed. */
    CLOSED,
    /** The engine was paused. */
    PAUSED;

    /**
     * Whether this process has ended its holds itself, by closing the engine. Then {@link Engine#close} decides whether
     * an entry is taken out or kept.
     */
    public boolean isOwnWish() {
        return this == CLOSED || this == PAUSED;
    }
}
