package io.dynamolock.spring.internal.keys;

import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import org.jspecify.annotations.Nullable;

/**
 * An expression with a literal in the place of each placeholder, so that no value is ever read as a part of the expression: whoever
 * may set a property could run code by it.
 *
 * @param attribute what of the annotation it is, for messages
 * @param text as the author wrote it
 * @param source with the values of the placeholders in it, which belong in no message
 */
public record ResolvedExpression(String methodName, String attribute, String text, String source) {

    /** In brackets, so that it never becomes a name, of a bean or of anything else, nor a part of one. */
    public static String literal(String value) {
        return value.matches("(?i)true|false") ? "(" + value + ")" : "('" + value.replace("'", "''") + "')";
    }

    InvalidDynamoLockedException invalid(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidDynamoLockedException(
                methodName, "the " + attribute + " \"" + text + "\" " + problem, remedy, cause);
    }
}
