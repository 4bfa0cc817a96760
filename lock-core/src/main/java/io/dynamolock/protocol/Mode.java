package io.dynamolock.protocol;

import io.dynamolock.internal.protocol.Digits;
import io.dynamolock.internal.protocol.SafeText;

/**
 * What a block wants of the lock. In its entry it is one mark, and a mark that this version does not know means a lock for
 * itself alone: so processes of different versions can stand in one queue.
 *
 * @param mark a visible character that is no digit of an entry
 */
public record Mode(char mark) {

    /** The lock for itself alone. */
    public static final Mode EXCLUSIVE = new Mode(':');

    /** The lock beside other blocks that share it. */
    public static final Mode SHARED = new Mode('=');

    /** One of the permits of the lock. */
    public static final Mode PERMIT = new Mode('+');

    public Mode {
        if (!isMark(mark)) {
            throw new IllegalArgumentException("not a mark of a mode: " + SafeText.quote(String.valueOf(mark)));
        }
    }

    static boolean isMark(char character) {
        return character > ' ' && character <= '~' && !Digits.isDigit(character);
    }

    /** Whether several blocks of this mode may hold the lock together. */
    public boolean isJoint() {
        return equals(SHARED) || equals(PERMIT);
    }

    @Override
    public String toString() {
        return String.valueOf(mark);
    }
}
