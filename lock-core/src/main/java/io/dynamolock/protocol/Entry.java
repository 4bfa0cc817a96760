package io.dynamolock.protocol;

import io.dynamolock.internal.protocol.Digits;
import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.internal.protocol.SessionId;
import java.util.Objects;

/**
 * One place in the queue of a lock: a block, and how many callers stand in it.
 *
 * <p>In the table it is a string of at most 18 bytes, because each kilobyte of an item costs a unit with each write:
 * the ten digits of the session, the digits of the block's number, the mark of its mode and the digits of the number of
 * callers.
 */
public record Entry(BlockId block, Mode mode, int callers) {

    private static final int MOST_BYTES = 18;

    public Entry {
        Objects.requireNonNull(block, "block");
        Objects.requireNonNull(mode, "mode");
        if (callers < 1 || callers > mostCallers(block.number())) {
            throw new IllegalArgumentException("not a number of callers for block " + block + ": " + callers);
        }
    }

    /** A block that wants the lock for itself alone. */
    public Entry(BlockId block, int callers) {
        this(block, Mode.EXCLUSIVE, callers);
    }

    /** How many callers fit into the block of this number: 4,095, and fewer after a session's first thousand million. */
    public static int mostCallers(long blockNumber) {
        int taken = SessionId.LENGTH + Digits.of(blockNumber).length() + 1;
        return (int) Digits.most(Math.min(2, MOST_BYTES - taken));
    }

    /** @throws IllegalArgumentException for a string that {@link #toString()} never made */
    public static Entry parse(String text) {
        int mark = SessionId.LENGTH;
        while (mark < text.length() && Digits.isDigit(text.charAt(mark))) {
            mark++;
        }
        if (mark <= SessionId.LENGTH || mark == text.length() || !Mode.isMark(text.charAt(mark))) {
            throw new IllegalArgumentException("not an entry of a queue: " + SafeText.quote(text));
        }
        SessionId session = new SessionId(text.substring(0, SessionId.LENGTH));
        BlockId block = BlockId.of(session, text.substring(SessionId.LENGTH, mark));
        Entry entry = new Entry(block, new Mode(text.charAt(mark)), (int) Digits.valueOf(text.substring(mark + 1)));
        if (!entry.toString().equals(text)) {
            // Steps name entries by their text: one that is not written as it would be here could never be taken out.
            throw new IllegalArgumentException("not an entry of a queue as steps write it: " + SafeText.quote(text));
        }
        return entry;
    }

    public SessionId session() {
        return block.session();
    }

    /**
     * What the text of each entry of this block begins with if it is exclusive, however many callers stand in it, and that
     * of no other.
     */
    public static String beginning(BlockId block) {
        return block.toString() + Mode.EXCLUSIVE;
    }

    /** The same block with more callers. */
    public Entry grownBy(int more) {
        return new Entry(block, mode, callers + more);
    }

    @Override
    public String toString() {
        return block.toString() + mode + Digits.of(callers);
    }
}
