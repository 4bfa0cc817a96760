package io.dynamolock.internal.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Shows or hides texts that may be personal data: keys of locks, and names of processes and people. A hash stands in
 * the place of a hidden text. Thread-safe.
 */
public final class PersonalText {

    /** Number of bytes of a hash that suffice to tell the locks of a table apart. */
    private static final int BYTES_OF_HASH = 8;

    /** See {@link io.dynamolock.LockMessages#showKeys}. For the whole process, because static code makes messages. */
    private static volatile boolean isShown = true;

    private PersonalText() {}

    public static void show(boolean show) {
        isShown = show;
    }

    static boolean isShown() {
        return isShown;
    }

    /** A text for messages: in quotes, or its hash. */
    public static String quoted(String text) {
        return isShown ? SafeText.quote(text) : "#" + hash(text);
    }

    /** A text that is safe for messages already: as it is, or its hash. */
    public static String shown(String text) {
        return isShown ? text : "#" + hash(text);
    }

    /** The name of a process or a person for messages: in quotes, or a hash. */
    public static String owner(String owner) {
        return isShown ? SafeText.quote(owner) : "process #" + hash(owner);
    }

    /** Who operates the locks, for the beginning of a sentence; without a name if that is empty. */
    public static String operator(String name) {
        return name.isEmpty() ? "An operator" : "The operator " + quoted(name);
    }

    static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, BYTES_OF_HASH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
