package io.dynamolock.spring;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Turns the value of a key expression into the text of the key: equal values give equal texts, always. */
final class KeyRendering {

    /** Beyond this many places, plain digits would be a waste of memory. */
    private static final int MAX_PLAIN_SCALE = 400;

    private KeyRendering() {}

    /** @throws IllegalArgumentException saying what cannot be a key, and what to write instead */
    static String render(@Nullable Object value) {
        String key = value == null ? null : scalar(value);
        List<KeyComponent> components = key != null || value == null ? List.of() : KeyComponent.of(value);
        if (value instanceof Record || value != null && !components.isEmpty()) {
            return tuple(value, components);
        }
        if (key == null) {
            throw new IllegalArgumentException(value == null ? "the key is null" : unusable(value));
        }
        if (key.isBlank()) {
            throw new IllegalArgumentException("the key is blank");
        }
        return key;
    }

    private static @Nullable String scalar(Object value) {
        if (value instanceof CharSequence
                || value instanceof UUID
                || value instanceof Boolean
                || value instanceof Character) {
            return value.toString();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        return value instanceof Number number ? number(number) : null;
    }

    /** 1, 1.0 and 1.00 are one number; so are 0.0 and -0.0. */
    private static @Nullable String number(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal(decimal);
        }
        if (number instanceof Double || number instanceof Float) {
            if (!Double.isFinite(number.doubleValue())) {
                throw new IllegalArgumentException("the key is " + number);
            }
            return decimal(new BigDecimal(number.toString()));
        }
        // Integers of the JDK. Others may print their identity.
        return number.getClass().getName().startsWith("java.") ? number.toString() : null;
    }

    private static String decimal(BigDecimal decimal) {
        BigDecimal stripped = decimal.stripTrailingZeros();
        return Math.abs((long) stripped.scale()) > MAX_PLAIN_SCALE ? stripped.toString() : stripped.toPlainString();
    }

    /** Does not use {@code toString}, which a record may override. */
    private static String tuple(Object value, List<KeyComponent> components) {
        StringBuilder text = new StringBuilder(value.getClass().getSimpleName()).append('[');
        String separator = "";
        for (KeyComponent component : components) {
            text.append(separator).append(component.name()).append('=').append(text(value, component));
            separator = ", ";
        }
        return text.append(']').toString();
    }

    private static String text(Object owner, KeyComponent component) {
        Object value = component.read(owner);
        if (value == null) {
            return "null";
        }
        String text = scalar(value);
        if (text == null) {
            List<KeyComponent> nested = KeyComponent.of(value);
            if (value instanceof Record || !nested.isEmpty()) {
                return tuple(value, nested);
            }
            throw new IllegalArgumentException("the component '" + component.name() + "' of the record "
                    + owner.getClass().getSimpleName() + ": " + unusable(value));
        }
        // Quoted, so that no text can look like the next component.
        return value instanceof CharSequence || value instanceof Character
                ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
                : text;
    }

    private static String unusable(Object value) {
        if (value instanceof byte[] || value instanceof char[]) {
            return "a " + value.getClass().getTypeName() + " cannot be a key. Make a text of it, such as"
                    + " T(java.util.HexFormat).of().formatHex(#hash) or new String(#chars)";
        }
        if (value instanceof Iterable
                || value instanceof Map
                || value.getClass().isArray()) {
            return "a " + value.getClass().getTypeName()
                    + " cannot be a key: it is a collection, and the text of equal ones may differ. Take a Collection or an"
                    + " array of keys to lock each of them, one element, or a text of all in an order that is always the"
                    + " same, such as T(java.lang.String).join(',', new java.util.TreeSet(#ids))";
        }
        return "a " + value.getClass().getTypeName()
                + " cannot be a key. Take a string, a number, a boolean, a UUID, an enum or a record of these,"
                + " for example a property of it, or its toString() if that is its value";
    }
}
