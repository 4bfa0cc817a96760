package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Mode;

/** In which way a caller wants a lock. */
public enum Kind {
    /** Alone. Callers of one process share entries, and pass the lock on among each other. */
    EXCLUSIVE(Mode.EXCLUSIVE),
    /**
     * Alone, and with an entry that no other caller shares: so the caller can go on as a reader, and its entry can
     * become a shared one.
     */
    WRITE(Mode.EXCLUSIVE),
    /** Beside other readers. Readers of one process share entries. */
    READ(Mode.SHARED),
    /** One of a number of permits. Each permit has its own entry. */
    PERMIT(Mode.PERMIT);

    private final Mode mode;

    Kind(Mode mode) {
        this.mode = mode;
    }

    public Mode mode() {
        return mode;
    }

    /** Whether nobody else can hold the lock beside such a caller. */
    public boolean isAlone() {
        return mode == Mode.EXCLUSIVE;
    }

    /** Whether the caller shares its entry with no other caller. */
    public boolean needsEntryForItself() {
        return this == WRITE || this == PERMIT;
    }
}
