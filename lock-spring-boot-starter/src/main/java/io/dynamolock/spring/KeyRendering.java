package io.dynamolock.spring;

import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Turns the value of a key expression into the text of the key: equal values give equal texts, always. */
final class KeyRendering {

    /** Beyond this many places, plain digits would be a waste of memory. */
    private static final int MAX_PLAIN_SCALE = 400;

    private KeyRendering() {}

    /** @throws IllegalArgumentException saying what cannot be a key, and what to write instead */
    static String render(@Nullable Object value) {
        String key = value == null ? null : scalar(value);
        List<KeyComponent> components = key != null || value == null ? List.of() : KeyComponent.of(value.getClass());
        if (value instanceof Record || value != null && !components.isEmpty()) {
            return tuple(value, components);
        }
        if (key == null) {
            throw new IllegalArgumentException(value == null ? "the key is null" : unusable(value.getClass()));
        }
        if (key.isBlank()) {
            throw new IllegalArgumentException("the key is blank");
        }
        return key;
    }

    /**
     * Whether a value that is declared so can be one key, for all that its type says: an interface and an abstract class may
     * have classes that can.
     */
    static boolean isUsable(Class<?> declared) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(declared);
        if (type.isRecord() || isTime(type) || !KeyComponent.of(type).isEmpty()) {
            return true;
        }
        boolean isAbstract = Modifier.isAbstract(type.getModifiers());
        if (isCollection(type)) {
            // A record may implement an interface of the application.
            return isAbstract && !type.isArray() && !type.getName().startsWith("java.");
        }
        return isAbstract
                || type == Object.class
                || Stream.of(CharSequence.class, UUID.class, Boolean.class, Character.class, Enum.class, Number.class)
                        .anyMatch(usable -> usable.isAssignableFrom(type));
    }

    private static boolean isCollection(Class<?> type) {
        return Iterable.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) || type.isArray();
    }

    /** Those of them that have a form in ISO-8601. They are final, and equal ones print the same. */
    private static boolean isTime(Class<?> type) {
        return type.getPackageName().equals("java.time")
                && (TemporalAccessor.class.isAssignableFrom(type) || TemporalAmount.class.isAssignableFrom(type));
    }

    private static @Nullable String scalar(Object value) {
        if (value instanceof CharSequence
                || value instanceof UUID
                || value instanceof Boolean
                || value instanceof Character
                || isTime(value.getClass())) {
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
                throw new IllegalArgumentException(number + " cannot be a key. Take a number that is finite");
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
            List<KeyComponent> nested = KeyComponent.of(value.getClass());
            if (value instanceof Record || !nested.isEmpty()) {
                return tuple(value, nested);
            }
            throw new IllegalArgumentException("the component '" + component.name() + "' of the record "
                    + owner.getClass().getSimpleName() + ": " + unusable(value.getClass()));
        }
        // Quoted, so that no text can look like the next component.
        return value instanceof CharSequence || value instanceof Character
                ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
                : text;
    }

    private static String unusable(Class<?> type) {
        return refusal(type) + ". " + advice(type);
    }

    /** That such a value cannot be a key, and why not. */
    static String refusal(Class<?> type) {
        return "a " + type.getTypeName() + " cannot be a key"
                + (isCollection(type) && !isBytes(type)
                        ? ": it is a collection, and the text of equal ones may differ"
                        : "");
    }

    /** What to write instead of it. */
    static String advice(Class<?> type) {
        if (isBytes(type)) {
            return "Make a text of it, such as T(java.util.HexFormat).of().formatHex(#hash) or new String(#chars)";
        }
        return isCollection(type)
                ? "Take a Collection or an array of keys to lock each of them (with a text before each:"
                        + " #ids.!['order:' + #this]; or write them in keys), one element, or a text of all in an order"
                        + " that is always the same, such as T(java.lang.String).join(',', new java.util.TreeSet(#ids))"
                : "Take a string, a number, a boolean, a UUID, an enum, a date or a time of java.time or a record of"
                        + " these, for example a property of it, or its toString() if that is its value";
    }

    private static boolean isBytes(Class<?> type) {
        return type == byte[].class || type == char[].class;
    }
}
