package io.dynamolock.protocol;

import io.dynamolock.internal.protocol.Digits;
import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.internal.protocol.SessionId;
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

    /**
     * What {@link #toString()} made.
     *
     * @throws IllegalArgumentException for a string that it never made
     */
    public static BlockId parse(String text) {
        if (text.length() <= SessionId.LENGTH) {
            throw new IllegalArgumentException("not the id of a block: " + SafeText.quote(text));
        }
        BlockId block = of(new SessionId(text.substring(0, SessionId.LENGTH)), text.substring(SessionId.LENGTH));
        if (!block.toString().equals(text)) {
            throw new IllegalArgumentException("not the id of a block as it is written: " + SafeText.quote(text));
        }
        return block;
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
