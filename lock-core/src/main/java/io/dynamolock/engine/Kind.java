package io.dynamolock.engine;

import io.dynamolock.protocol.Mode;

/** As what a caller wants a lock, and whether callers of one process can share a place in its queue. */
public enum Kind {
    /** For itself alone; callers of one process gather in one place, and pass the lock on among each other. */
    EXCLUSIVE(Mode.EXCLUSIVE, true),
    /** For itself alone, and with a place of its own: so it can go on as a reader without leaving anybody behind. */
    WRITE(Mode.EXCLUSIVE, false),
    /** Beside other readers; those of one process share a place. */
    READ(Mode.SHARED, true),
    /** One of so many permits; each has a place of its own. */
    PERMIT(Mode.PERMIT, false);

    private final Mode mode;
    private final boolean sharesPlaces;

    Kind(Mode mode, boolean sharesPlaces) {
        this.mode = mode;
        this.sharesPlaces = sharesPlaces;
    }

    Mode mode() {
        return mode;
    }

    boolean sharesPlaces() {
        return sharesPlaces;
    }
}
