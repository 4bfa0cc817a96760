package io.dynamolock.internal.protocol;

/**
 * Identifies one session, which is one lease of one process. No id is used twice.
 *
 * @param value sixty random bits as ten {@link Digits}
 */
public record SessionId(String value) {

    /** Number of digits of an id. */
    public static final int LENGTH = 10;

    /** @throws IllegalArgumentException if the value is not ten digits */
    public SessionId {
        if (value.length() != LENGTH) {
            throw new IllegalArgumentException("not the id of a session");
        }
        Digits.valueOf(value);
    }

    /** The id with these random bits, without the upper four. */
    public static SessionId of(long random) {
        return new SessionId(Digits.of(random & Digits.greatest(LENGTH), LENGTH));
    }

    @Override
    public String toString() {
        return value;
    }
}
