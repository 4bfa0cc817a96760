package io.dynamolock.internal.protocol;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * A request to a process about one of its entries. The notice is stored in the session item of the process, which reads
 * it with its next heartbeat and then removes it. No entry number is used twice, so obeying a notice twice does no
 * harm.
 *
 * @param number the number of the entry within the session that gets the notice
 * @param by who asks, for people; empty if nobody is named. What cannot stand in a notice is left out
 */
public record Notice(Wish wish, LockKey key, long number, String by) {

    /** Maximum number of characters of a name: a session item holds up to twenty notices. */
    private static final int MOST_OF_NAME = 64;

    /** What the process is asked to do. */
    public enum Wish {
        /** Another process asks whether the entry is still wanted: take it out if it is not. */
        TAKE_OUT_IF_UNWANTED('?'),
        /** An operator has evicted the entry: take it out, and take the lock from its holders. */
        EVICT('!');

        private final char mark;

        Wish(char mark) {
            this.mark = mark;
        }
    }

    public Notice {
        if (number < 1) {
            throw new IllegalArgumentException("a notice about an entry with the number " + number);
        }
        by = by.codePoints()
                .filter(Notice::mayStandInName)
                .limit(MOST_OF_NAME)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** A notice of nobody who is named. */
    public Notice(Wish wish, LockKey key, long number) {
        this(wish, key, number, "");
    }

    /** A bar would end the name. */
    private static boolean mayStandInName(int character) {
        return character != '|'
                && !Character.isISOControl(character)
                && Character.getType(character) != Character.SURROGATE;
    }

    /**
     * The notice as it is written in the session item: the mark of the wish, the digits of the number, an at sign and
     * who asks if somebody is named, a bar, the namespace, a slash and the key. Nothing is escaped, because neither
     * digits nor names contain a bar nor namespaces a slash, and the key is all that follows.
     */
    public String text() {
        return wish.mark + Digits.of(number) + (by.isEmpty() ? "" : "@" + by) + "|" + key.namespace() + "/" + key.key();
    }

    /** The notice with this {@link #text()}; empty if {@link #text()} never returns this text. */
    public static Optional<Notice> read(String text) {
        int bar = text.indexOf('|');
        int slash = text.indexOf('/', bar + 1);
        if (bar < 2 || slash < 0) {
            return Optional.empty();
        }
        LockKey key = new LockKey(text.substring(slash + 1), text.substring(bar + 1, slash));
        try {
            int at = text.indexOf('@');
            boolean isNamed = at >= 0 && at < bar;
            long number = Digits.valueOf(text.substring(1, isNamed ? at : bar));
            String by = isNamed ? text.substring(at + 1, bar) : "";
            return Stream.of(Wish.values())
                    .map(wish -> new Notice(wish, key, number, by))
                    .filter(notice -> notice.text().equals(text))
                    .findFirst();
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
