package io.dynamolock.protocol;

import java.util.Objects;

/**
 * Identifies one block: callers of one process that stand in one place of the queue. Never reused.
 *
 * @param session the session whose life the place depends on
 * @param number counts the blocks of the session, from 1
 */
public record BlockId(SessionId session, long number) {

    public BlockId {
        Objects.requireNonNull(session, "session");
        if (number < 1) {
            throw new IllegalArgumentException("not the number of a block: " + number);
        }
    }

    /** @throws IllegalArgumentException for digits that {@link #digits()} never made */
    public static BlockId of(SessionId session, String digits) {
        return new BlockId(session, Digits.valueOf(digits));
    }

    /** The number as the entry in the queue has it. */
    public String digits() {
        return Digits.of(number);
    }

    @Override
    public String toString() {
        return session + digits();
    }
}
