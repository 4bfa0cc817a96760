package io.dynamolock.internal.protocol;

/** How an entry holds the lock. */
public enum Mode {

    /**
     * Excludes entries of other sessions. Consecutive entries of one session hold it together, for one caller at a
     * time.
     */
    EXCLUSIVE(':'),

    /** Together with other shared entries. */
    SHARED('='),

    /** Together with other permits, up to the lock's number of permits. */
    PERMIT('+');

    private final char mark;

    Mode(char mark) {
        this.mark = mark;
    }

    /** The character for this mode in the text of an entry. It is visible and is not one of the {@link Digits}. */
    char mark() {
        return mark;
    }

    /** @throws IllegalArgumentException if no mode has this mark */
    static Mode of(char mark) {
        for (Mode mode : values()) {
            if (mode.mark == mark) {
                return mode;
            }
        }
        throw new IllegalArgumentException("no mark of a mode");
    }
}
