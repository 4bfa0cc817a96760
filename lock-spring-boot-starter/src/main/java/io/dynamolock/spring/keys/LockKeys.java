package io.dynamolock.spring.keys;

import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.internal.keys.KeyRendering;

/** Turns keys into texts, as {@link DynamoLocked} does for the values of key expressions. */
public final class LockKeys {

    private LockKeys() {}

    /**
     * The text of a key, as it is in the table. Equal keys have equal texts, in every process. A string, a number, a
     * boolean, a character, a UUID, an enum constant, or a date or a time of {@code java.time} stands for itself; a
     * record or a data class of Kotlin is rendered with the names and values of its components. The number 42 and the
     * string {@code "42"} have the same text, and so do 1, 1.0 and 1.00.
     *
     * @throws IllegalArgumentException if the key is blank or of any other type: equal objects of such a type may have
     *     different texts
     */
    public static String text(Object key) {
        return KeyRendering.render("the key", key);
    }
}
