package io.dynamolock.internal.protocol;

/** How an entry wants the lock. */
public enum Mode {

    /** Alone; entries of the same session that follow each other hold it together, one caller at a time. */
    EXCLUSIVE(':'),

    /** Beside other shared entries. */
    SHARED('='),

    /** One of the lock's permits. */
    PERMIT('+');

    private final char mark;

    Mode(char mark) {
        this.mark = mark;
    }

    /** How an entry's text shows it: a visible character that is no digit. */
    char mark() {
        return mark;
    }

    /** @throws IllegalArgumentException for a character that marks no mode */
    static Mode of(char mark) {
        for (Mode mode : values()) {
            if (mode.mark == mark) {
                return mode;
            }
        }
        throw new IllegalArgumentException("no mark of a mode");
    }
}
