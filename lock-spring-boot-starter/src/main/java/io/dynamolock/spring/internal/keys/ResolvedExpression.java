package io.dynamolock.spring.internal.keys;

import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import org.jspecify.annotations.Nullable;

/**
 * An expression in which a literal has replaced each placeholder. The value of a property is never read as code:
 * otherwise, whoever can set a property could run code.
 *
 * @param attribute name of the annotation's attribute, for messages
 * @param text the expression as its author wrote it
 * @param source the expression with the values of the placeholders; not for messages, because values may be secret
 */
public record ResolvedExpression(String methodName, String attribute, String text, String source) {

    /**
     * The value as a literal. In brackets, so that it never becomes a name, such as that of a bean, or a part of a
     * name.
     */
    public static String literal(String value) {
        return value.matches("(?i)true|false") ? "(" + value + ")" : "('" + value.replace("'", "''") + "')";
    }

    InvalidDynamoLockedException invalid(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidDynamoLockedException(
                methodName, "the " + attribute + " \"" + text + "\" " + problem, remedy, cause);
    }
}
