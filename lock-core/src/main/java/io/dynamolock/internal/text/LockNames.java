package io.dynamolock.internal.text;

import io.dynamolock.internal.protocol.LockKey;

/** Rules for keys, namespaces and other texts in the table, and how messages show a lock. */
public final class LockNames {

    /** DynamoDB's limit for a partition key, in bytes of UTF-8. */
    static final int MAX_KEY_BYTES = 2_048;

    /** DynamoDB's limit for a sort key, less the slash that ends the namespace in the sort key. */
    static final int MAX_NAMESPACE_BYTES = 1_024 - 1;

    private LockNames() {}

    /** A key for messages: in quotes, or its hash if keys are hidden. */
    public static String key(String key, String namespace) {
        return PersonalText.isShown() ? SafeText.quote(key) : "#" + hash(key, namespace);
    }

    /** A key for {@code toString()}: as it is, or its hash if keys are hidden. */
    public static String text(String key, String namespace) {
        return PersonalText.isShown() ? key : "#" + hash(key, namespace);
    }

    /** See {@link io.dynamolock.LockMessages#hash}. */
    public static String hash(String key, String namespace) {
        return PersonalText.hash(namespace + "/" + key);
    }

    /** @param prefixBytes how many bytes of the limit the table's key prefix takes */
    public static String requireKey(String key, int prefixBytes) {
        requireNotEmpty("A lock key", key);
        int limit = MAX_KEY_BYTES - prefixBytes;
        int bytes = utf8Length("The lock key", key);
        if (bytes > limit) {
            throw new IllegalArgumentException("The lock key " + PersonalText.quoted(key) + " has " + bytes
                    + " bytes of UTF-8; DynamoDB allows " + MAX_KEY_BYTES
                    + (prefixBytes == 0 ? "" : ", of which the key prefix takes " + prefixBytes)
                    + ". Use a shorter key, for example a hash of it.");
        }
        return key;
    }

    public static String requireNamespace(String namespace) {
        requireNotEmpty("A namespace", namespace);
        if (namespace.indexOf('/') >= 0) {
            throw new IllegalArgumentException("The namespace " + SafeText.quote(namespace)
                    + " contains a slash, which ends it in the table. Use another character.");
        }
        int bytes = utf8Length("The namespace", namespace);
        if (bytes > MAX_NAMESPACE_BYTES) {
            throw new IllegalArgumentException("The namespace " + SafeText.quote(namespace) + " has " + bytes
                    + " bytes of UTF-8; at most " + MAX_NAMESPACE_BYTES + " fit into the table's sort key.");
        }
        return namespace;
    }

    public static String requireNotEmpty(String what, String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(what + " must not be empty, but was \"\".");
        }
        return text;
    }

    /**
     * The length in bytes of UTF-8. Refuses unpaired surrogates, which have no UTF-8. Makes no objects, because every
     * call of a registry asks for this.
     */
    public static int utf8Length(String what, String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (!Character.isSurrogate(unit)) {
                bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
            } else if (Character.isSupplementaryCodePoint(text.codePointAt(i))) {
                bytes += 4;
                i++;
            } else {
                throw new IllegalArgumentException(what + " " + PersonalText.quoted(text)
                        + " contains an unpaired surrogate, which is not a character and cannot be stored.");
            }
        }
        return bytes;
    }

    /**
     * The lock, for the middle of a sentence.
     *
     * @param key empty for all locks of the table, if the namespace is empty as well
     * @param namespace empty for all locks of the key
     */
    public static String describe(String key, String namespace) {
        if (namespace.isEmpty()) {
            return key.isEmpty() ? "locks of the table" : "locks of the key " + PersonalText.quoted(key);
        }
        return "lock " + key(key, namespace) + " in namespace " + SafeText.quote(namespace);
    }

    /**
     * The lock, for the middle of a sentence, with its name if its key is hidden.
     *
     * @param name the name used for metrics
     */
    public static String describe(LockKey lock, String name) {
        return PersonalText.isShown()
                ? describe(lock)
                : "lock " + SafeText.quote(name) + " (" + key(lock.key(), lock.namespace()) + ") in namespace "
                        + SafeText.quote(lock.namespace());
    }

    public static String describe(LockKey lock) {
        return describe(lock.key(), lock.namespace());
    }
}
