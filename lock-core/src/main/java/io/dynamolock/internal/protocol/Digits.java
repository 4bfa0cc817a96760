package io.dynamolock.internal.protocol;

/**
 * Numbers in base 64, with visible ASCII characters as digits. In this form a number takes few bytes of an item and can
 * still be read in a console.
 */
public final class Digits {

    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    private static final int BITS_PER_DIGIT = 6;
    /** Longest text that {@link #valueOf} reads: 60 bits, which is never negative as a {@code long}. */
    private static final int MOST_DIGITS = 10;

    private static final int LAST_DIGIT = (1 << BITS_PER_DIGIT) - 1;

    private Digits() {}

    /** The digits of a number, without leading zeros. */
    public static String of(long number) {
        StringBuilder digits = new StringBuilder();
        long rest = number;
        do {
            digits.append(ALPHABET.charAt((int) (rest & LAST_DIGIT)));
            rest >>>= BITS_PER_DIGIT;
        } while (rest != 0);
        return digits.reverse().toString();
    }

    /** The digits of a number, with leading zeros up to this length. */
    public static String of(long number, int length) {
        String digits = of(number);
        return "0".repeat(length - digits.length()) + digits;
    }

    public static boolean isDigit(char character) {
        return ALPHABET.indexOf(character) >= 0;
    }

    /**
     * The number that these digits show.
     *
     * @throws IllegalArgumentException if the text is not one to ten digits; the message does not repeat the text
     */
    public static long valueOf(String digits) {
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= MOST_DIGITS
                && digits.chars().allMatch(character -> isDigit((char) character));
        if (!isNumber) {
            throw new IllegalArgumentException("not a number");
        }
        return digits.chars()
                .mapToLong(ALPHABET::indexOf)
                .reduce(0, (number, digit) -> number << BITS_PER_DIGIT | digit);
    }

    /** The greatest number with this many digits. */
    public static long greatest(int length) {
        return (1L << BITS_PER_DIGIT * length) - 1;
    }
}
