package io.dynamolock.internal.protocol;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One element of a lock's queue. It never changes: what is to be otherwise gets a new number, and no number is used twice.
 *
 * <p>In the table it is a string of at most {@value #MOST_BYTES} bytes, because each kilobyte of an item costs a unit with each
 * write.
 */
public sealed interface Entry {

    int MOST_BYTES = 18;

    Mode mode();

    /** How many callers it can serve, those that it has served included. */
    default int slots() {
        return 1;
    }

    /** Whose it is; {@code null} if it is nobody's. */
    default @Nullable SessionId session() {
        return null;
    }

    /** The entry as the table has it. */
    String text();

    /** Names it among all entries of its lock, for people. */
    default String id() {
        return text();
    }

    /** Whether both may hold the lock at once, as far as the number of permits allows. */
    default boolean isCompatibleWith(Entry other) {
        if (mode() != other.mode()) {
            return false;
        }
        return mode() != Mode.EXCLUSIVE || session() != null && session().equals(other.session());
    }

    /** Reads what {@link #text()} made. @throws IllegalArgumentException for any other text; the message does not repeat it */
    static Entry parse(String text) {
        Entry entry = text.startsWith(Kept.MARK) ? Kept.read(text) : OfSession.read(text);
        if (!entry.text().equals(text)) {
            // Edits name entries by their text: one that is written otherwise could never be taken out.
            throw new IllegalArgumentException("an entry that is not written as edits write it");
        }
        return entry;
    }

    /** @throws IllegalArgumentException for a text that {@link #id()} never makes */
    static void checkId(String id) {
        Entry entry = parse(id.startsWith(Kept.MARK) ? id : id + Mode.EXCLUSIVE.mark() + Digits.of(1));
        if (!entry.id().equals(id)) {
            throw new IllegalArgumentException("no id of an entry");
        }
    }

    /**
     * The right of a process's callers to be served in turn: ten digits of the session, the digits of the number, the mark of the
     * mode, the digits of the slots.
     *
     * @param session of whose life it depends
     * @param number counts the entries that the session has asked for, from 1
     */
    record OfSession(SessionId session, long number, Mode mode, int slots) implements Entry {

        public OfSession {
            if (number < 1 || slots < 1 || slots > mostSlots(number)) {
                throw new IllegalArgumentException("an entry with the number " + number + " and " + slots + " slots");
            }
        }

        /** How many slots fit into the entry of this number: 4,095, and fewer after a session's first thousand million. */
        public static int mostSlots(long number) {
            int taken = SessionId.LENGTH + Digits.of(number).length() + 1;
            return (int) Digits.most(Math.min(2, MOST_BYTES - taken));
        }

        private static OfSession read(String text) {
            int mark = SessionId.LENGTH;
            while (mark < text.length() && Digits.isDigit(text.charAt(mark))) {
                mark++;
            }
            if (mark <= SessionId.LENGTH || mark == text.length() || text.length() > MOST_BYTES) {
                throw new IllegalArgumentException("no entry of a queue");
            }
            return new OfSession(
                    new SessionId(text.substring(0, SessionId.LENGTH)),
                    Digits.valueOf(text.substring(SessionId.LENGTH, mark)),
                    Mode.of(text.charAt(mark)),
                    (int) Digits.valueOf(text.substring(mark + 1)));
        }

        @Override
        public String text() {
            return id() + mode.mark() + Digits.of(slots);
        }

        @Override
        public String id() {
            return session + Digits.of(number);
        }
    }

    /**
     * Nobody's entry: a process that has stopped left it, so that the lock stays taken until then by the store's clock. A mark, the
     * mark of the mode, the digits of the end in milliseconds since the epoch.
     */
    record Kept(Mode mode, Instant until) implements Entry {

        private static final String MARK = "!";

        public Kept {
            until = Instant.ofEpochMilli(Math.max(0, until.toEpochMilli()));
        }

        /** Whether the end has passed, by the store's clock. */
        public boolean isOver(Instant storeTime) {
            return until.isBefore(storeTime);
        }

        private static Kept read(String text) {
            if (text.length() < 3 || text.length() > MOST_BYTES) {
                throw new IllegalArgumentException("no kept entry of a queue");
            }
            return new Kept(Mode.of(text.charAt(1)), Instant.ofEpochMilli(Digits.valueOf(text.substring(2))));
        }

        @Override
        public String text() {
            return MARK + mode.mark() + Digits.of(until.toEpochMilli());
        }
    }
}
