package io.dynamolock.internal.protocol;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * A request to a process about one of its entries; it lies in the process's session item until the process has heard it, with its
 * next heartbeat. Numbers are never used twice, so that obeying it twice does nothing.
 *
 * @param number of the entry, among those of the session that gets the notice
 */
public record Notice(Wish wish, LockKey key, long number) {

    /** What is wanted. */
    public enum Wish {
        /** "Is this entry yours?": take it out if you do not want it. */
        CONFIRM('?'),
        /** "Give it up": an operator wants the lock for others. */
        GIVE_UP('!');

        private final char mark;

        Wish(char mark) {
            this.mark = mark;
        }
    }

    public Notice {
        if (number < 1) {
            throw new IllegalArgumentException("a notice about an entry with the number " + number);
        }
    }

    /**
     * A mark, the digits of the number, a bar, the namespace, a slash and the key. Needs no escapes: no digit is a bar and no namespace
     * has a slash, so that the key is all the rest.
     */
    public String text() {
        return wish.mark + Digits.of(number) + "|" + key.namespace() + "/" + key.key();
    }

    /** Reads what {@link #text()} made; what nobody can read asks nothing. */
    public static Optional<Notice> read(String text) {
        int bar = text.indexOf('|');
        int slash = text.indexOf('/', bar + 1);
        if (bar < 2 || slash < 0) {
            return Optional.empty();
        }
        LockKey key = new LockKey(text.substring(slash + 1), text.substring(bar + 1, slash));
        try {
            long number = Digits.valueOf(text.substring(1, bar));
            return Stream.of(Wish.values())
                    .map(wish -> new Notice(wish, key, number))
                    .filter(notice -> notice.text().equals(text))
                    .findFirst();
        } catch (IllegalArgumentException odd) {
            return Optional.empty();
        }
    }
}
