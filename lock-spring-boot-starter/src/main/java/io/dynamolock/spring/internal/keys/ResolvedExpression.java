package io.dynamolock.spring.internal.keys;

import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import org.jspecify.annotations.Nullable;

/**
 * An expression with a literal in the place of each placeholder. A value is never read as a part of the expression, or
 * whoever may set a property could run code.
 *
 * @param attribute name of the annotation's attribute, for messages
 * @param text the expression as its author wrote it
 * @param source the expression with the values of the placeholders, which belong in no message
 */
public record ResolvedExpression(String methodName, String attribute, String text, String source) {

    /** In brackets, so that the literal never becomes the name of a bean or anything else, or a part of a name. */
    public static String literal(String value) {
        return value.matches("(?i)true|false") ? "(" + value + ")" : "('" + value.replace("'", "''") + "')";
    }

    InvalidDynamoLockedException invalid(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidDynamoLockedException(
                methodName, "the " + attribute + " \"" + text + "\" " + problem, remedy, cause);
    }
}
