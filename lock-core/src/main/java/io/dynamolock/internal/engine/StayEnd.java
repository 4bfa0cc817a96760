package io.dynamolock.internal.engine;

/** What has come of a stay ({@link Stays}). */
public enum StayEnd {

    /** A caller of this process came back and has the lock, without a call. */
    CAME_BACK,

    /** Nobody came back in time, and nobody else wanted the lock. */
    UNUSED,

    /** Nobody came back in time, and by then callers of other processes waited for the lock. */
    TAKEN,

    /** A caller whom the entry cannot serve, or another process, wanted the lock before the time was over. */
    CUT_SHORT
}
