package io.dynamolock.internal.protocol;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One element of a lock's queue. An entry never changes. To change it, an {@link Edit} replaces it by an entry with a
 * new number, and a session uses no number twice.
 *
 * <p>In the table an entry is a string of at most {@value #MOST_BYTES} bytes, because every write of an item costs one
 * capacity unit per kilobyte.
 */
public sealed interface Entry {

    /** Maximum length of an entry in the table. */
    int MOST_BYTES = 18;

    /** How the entry holds the lock. */
    Mode mode();

    /** Number of callers that the entry can serve in all, including the callers that it has served already. */
    default int slots() {
        return 1;
    }

    /** The session that owns the entry; {@code null} for a kept entry, which nobody owns. */
    default @Nullable SessionId session() {
        return null;
    }

    /** The entry as it is written in the table. */
    String text();

    /** Identifies the entry among all entries of its lock, in messages and for operators. */
    default String id() {
        return text();
    }

    /** Whether both entries may hold the lock at the same time; the number of permits is checked elsewhere. */
    default boolean isCompatibleWith(Entry other) {
        if (mode() != other.mode()) {
            return false;
        }
        return mode() != Mode.EXCLUSIVE || session() != null && session().equals(other.session());
    }

    /**
     * The entry with this {@link #text()}.
     *
     * @throws IllegalArgumentException if {@link #text()} never returns this text; the message does not repeat the text
     */
    static Entry parse(String text) {
        Entry entry = text.startsWith(Kept.MARK) ? Kept.read(text) : OfSession.read(text);
        if (!entry.text().equals(text)) {
            // Edits identify an entry by its text, so an entry in another spelling could never be taken out.
            throw new IllegalArgumentException("an entry that is not written as edits write it");
        }
        return entry;
    }

    /** @throws IllegalArgumentException if {@link #id()} never returns this text */
    static void checkId(String id) {
        Entry entry = parse(id.startsWith(Kept.MARK) ? id : id + Mode.EXCLUSIVE.mark() + Digits.of(1));
        if (!entry.id().equals(id)) {
            throw new IllegalArgumentException("no id of an entry");
        }
    }

    /**
     * The place of a process's callers in the queue. As text: the ten digits of the session, the digits of the number,
     * the mark of the mode and the digits of the slots.
     *
     * @param session the session that owns the entry; the entry is void when the session is dead
     * @param number counts the entries of the session, from 1
     */
    record OfSession(SessionId session, long number, Mode mode, int slots) implements Entry {

        public OfSession {
            if (number < 1 || slots < 1 || slots > mostSlots(number)) {
                throw new IllegalArgumentException("an entry with the number " + number + " and " + slots + " slots");
            }
        }

        /**
         * Maximum number of slots of the entry with this number: 4,095, and fewer when the number has so many digits
         * that only one is left for the slots, after a session's first thousand million entries.
         */
        public static int mostSlots(long number) {
            int taken = SessionId.LENGTH + Digits.of(number).length() + 1;
            return (int) Digits.greatest(Math.min(2, MOST_BYTES - taken));
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
     * An entry that belongs to no session. A process that stops leaves it behind for a lock that must stay taken for
     * some time after its release. As text: an exclamation mark, the mark of the mode and the digits of {@code until}.
     *
     * @param until when the entry no longer counts, by the store's clock; in milliseconds since the epoch, not before
     *     it
     */
    record Kept(Mode mode, Instant until) implements Entry {

        private static final String MARK = "!";

        public Kept {
            until = Instant.ofEpochMilli(Math.max(0, until.toEpochMilli()));
        }

        /**
         * Whether the end has certainly passed, by the store's clock.
         *
         * @param storeTime the time that an answer of the store has told; {@code null} if none was told, so that this
         *     process cannot judge the entry
         */
        public boolean isOver(@Nullable Instant storeTime) {
            return storeTime != null && until.plus(Clocks.BOUND).isBefore(storeTime);
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
