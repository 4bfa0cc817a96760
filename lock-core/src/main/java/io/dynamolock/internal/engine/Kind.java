package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Mode;

/** As what a caller wants a lock. */
public enum Kind {
    /** For itself alone; callers of one process share an entry, and pass the lock on among each other. */
    EXCLUSIVE(Mode.EXCLUSIVE),
    /**
     * For itself alone, and with an entry for itself: so it can go on as a reader without anybody behind it in the
     * entry.
     */
    WRITE(Mode.EXCLUSIVE),
    /** Beside other readers; those of one process share an entry. */
    READ(Mode.SHARED),
    /** One of so many permits; each entry is one. */
    PERMIT(Mode.PERMIT);

    private final Mode mode;

    Kind(Mode mode) {
        this.mode = mode;
    }

    public Mode mode() {
        return mode;
    }

    /** Whether nobody holds the lock beside it. */
    public boolean isAlone() {
        return mode == Mode.EXCLUSIVE;
    }

    /** Whether its entry can have no other slots. */
    public boolean needsEntryForItself() {
        return this == WRITE || this == PERMIT;
    }
}
