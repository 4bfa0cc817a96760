package io.dynamolock.internal.protocol;

/** Numbers in 64 digits, as short as text that people can read may be. */
public final class Digits {

    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    private static final int BITS = 6;

    private Digits() {}

    public static String of(long number) {
        StringBuilder digits = new StringBuilder();
        long rest = number;
        do {
            digits.append(ALPHABET.charAt((int) (rest & 63)));
            rest >>>= BITS;
        } while (rest != 0);
        return digits.reverse().toString();
    }

    /** With zeros in front, up to this length. */
    public static String of(long number, int length) {
        String digits = of(number);
        return "0".repeat(length - digits.length()) + digits;
    }

    public static boolean isDigit(char character) {
        return ALPHABET.indexOf(character) >= 0;
    }

    /** @throws IllegalArgumentException for any other text; the message does not repeat it */
    public static long valueOf(String digits) {
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= 10
                && digits.chars().allMatch(character -> isDigit((char) character));
        if (!isNumber) {
            throw new IllegalArgumentException("not a number");
        }
        return digits.chars().mapToLong(ALPHABET::indexOf).reduce(0, (number, digit) -> number << BITS | digit);
    }

    /** The greatest number with so many digits. */
    public static long most(int length) {
        return (1L << BITS * length) - 1;
    }
}
