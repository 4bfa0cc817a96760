package io.dynamolock.internal.text;

/**
 * Makes text that comes from the table or from users safe for messages and logs. The result is on one line, is read in
 * the order in which it is written and has a bounded length. So nobody can use such a text to forge a line of a log or
 * to fill the log.
 */
public final class SafeText {

    /** Maximum number of characters that are shown of one text, including the characters of escapes. */
    public static final int MOST = 256;

    private static final char REPLACEMENT = '\uFFFD';

    private SafeText() {}

    /**
     * The text in quotes, cut to {@link #MOST} characters. Quotes, backslashes and all characters that are not plain
     * are escaped.
     */
    public static String quote(String text) {
        StringBuilder shown = new StringBuilder("\"");
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            String next = escaped(character);
            if (shown.length() + next.length() > MOST + 1) {
                return shown.append("...\"").toString();
            }
            shown.append(next);
            i += Character.charCount(character);
        }
        return shown.append('"').toString();
    }

    private static String escaped(int character) {
        if (character == '"' || character == '\\') {
            return "\\" + (char) character;
        }
        return isPlain(character) ? Character.toString(character) : String.format("\\u%04X", character);
    }

    /** The text cut to {@link #MOST} characters, with a mark in place of each character that is not plain. */
    public static String clean(String text) {
        return clean(text, MOST);
    }

    /**
     * The text cut to this many characters, with a mark in place of each character that is not plain.
     *
     * @param most maximum number of characters, before the three dots that mark the cut
     */
    public static String clean(String text, int most) {
        String cleaned = text.codePoints()
                .limit(most + 1L)
                .map(character -> isPlain(character) ? character : REPLACEMENT)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        if (cleaned.length() <= most) {
            return cleaned;
        }
        // Half a surrogate pair is not a character, and much software that passes text on fails for it.
        int end = Character.isHighSurrogate(cleaned.charAt(most - 1)) ? most - 1 : most;
        return cleaned.substring(0, end) + "...";
    }

    /**
     * Whether all characters of the text are plain: no control characters, no line separators, no direction marks and
     * no other invisible characters.
     */
    public static boolean isPlain(String text) {
        return text.codePoints().allMatch(SafeText::isPlain);
    }

    private static boolean isPlain(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
