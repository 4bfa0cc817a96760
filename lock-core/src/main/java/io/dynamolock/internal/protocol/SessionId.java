package io.dynamolock.internal.protocol;

/**
 * Identifies one session: one lease of one process. Never reused.
 *
 * @param value ten digits, which are sixty random bits
 */
public record SessionId(String value) {

    public static final int LENGTH = 10;

    /** @throws IllegalArgumentException if these are not ten digits */
    public SessionId {
        if (value.length() != LENGTH) {
            throw new IllegalArgumentException("not the id of a session");
        }
        Digits.valueOf(value);
    }

    /** The session of these random bits; the upper four are dropped. */
    public static SessionId of(long random) {
        return new SessionId(Digits.of(random & Digits.most(LENGTH), LENGTH));
    }

    @Override
    public String toString() {
        return value;
    }
}
