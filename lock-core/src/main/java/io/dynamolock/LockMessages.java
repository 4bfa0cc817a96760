package io.dynamolock;

import io.dynamolock.internal.Internals;

/**
 * Whether messages say which lock they are about, and who holds it. Keys are often personal data, such as an e-mail
 * address; so may be the names of callers and operators, and the names of processes have the host in them. They reach
 * the logs, the traces and, where an application answers with the message of an exception, its clients.
 *
 * <p>The setting applies to all registries of the process (more precisely, of the class loader), because some messages
 * are made where no registry is known, as in {@link LockRequest}. With Spring Boot, set the property {@code
 * dynamolock.messages.show-keys} instead. Thread-safe.
 */
public final class LockMessages {

    private LockMessages() {}

    /**
     * Shows or hides keys and the names of callers, operators and processes in every message of an exception, in every
     * log line at any level, and in the texts of {@code toString()} of requests, handles and locks. Shown by default.
     *
     * <p>In place of a key, a message has the {@link #hash}, and before it the lock's {@linkplain
     * LockRequest#name(String) name} where it is known, as in everything that tells a caller about a lock that was
     * denied or lost. Calls of {@link LockAdmin} take a key alone. In place of the name of somebody there is a hash of
     * that name. Accessors such as {@link LockException#key()} and {@link LockTimeoutException#holder()}, and the texts
     * of {@link LockEvent}s, {@link LockSnapshot}s and the records of {@link LockAdmin}, which are for code, have keys
     * and names all the same. What the AWS SDK and DynamoDB say in a message or a cause stays as it is.
     *
     * @param show whether messages have keys and names; messages that were made before stay as they are
     */
    public static void showKeys(boolean show) {
        Internals.showKeys(show);
    }

    /** The key for a message of your own: in quotes and made safe for logs, or the {@link #hash} if keys are hidden. */
    public static String key(String key, String namespace) {
        return Internals.shown(key, namespace);
    }

    /**
     * What messages have instead of a key: the first 16 hexadecimal digits of the SHA-256 of the namespace, a slash and
     * the key. Tells the locks of a table apart, but does not protect a key that can be guessed.
     */
    public static String hash(String key, String namespace) {
        return Internals.hash(key, namespace);
    }
}
