package io.dynamolock.internal.text;

/**
 * Text that comes from the table or from users, as messages and logs may show it: in one line, in the order in which it
 * is written, and of bounded length, so that nobody forges a line of a log by it or fills the log with it.
 */
public final class SafeText {

    /** So many characters are shown of one text, those of escapes among them. */
    public static final int MOST = 256;

    private static final char REPLACEMENT = '\uFFFD';

    private SafeText() {}

    /** In quotes, cut, and with everything escaped that could end the quotes or the line, or that cannot be seen. */
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

    /** Cut, and with a mark in the place of each character that is not {@linkplain #isPlain(String) plain}. */
    public static String clean(String text) {
        return clean(text, MOST);
    }

    /** @param most how many characters are left */
    public static String clean(String text, int most) {
        String cleaned = text.codePoints()
                .limit(most + 1L)
                .map(character -> isPlain(character) ? character : REPLACEMENT)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        if (cleaned.length() <= most) {
            return cleaned;
        }
        // Half a character cannot be seen, and many who pass it on fail for it.
        int end = Character.isHighSurrogate(cleaned.charAt(most - 1)) ? most - 1 : most;
        return cleaned.substring(0, end) + "...";
    }

    /** Whether it has no control characters, no separators of lines, no marks of direction and nothing else that cannot be seen. */
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
