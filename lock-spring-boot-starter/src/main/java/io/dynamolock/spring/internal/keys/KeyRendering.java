package io.dynamolock.spring.internal.keys;

import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;

/** Turns the value of a key expression into the text of the key: equal values give equal texts, always. */
public final class KeyRendering {

    /** Beyond this many places, plain digits would be a waste of memory. */
    private static final int MAX_PLAIN_SCALE = 400;

    private KeyRendering() {}

    /**
     * @param name of the value, for messages
     * @throws IllegalArgumentException saying what cannot be a key, and what to write instead
     */
    public static String render(String name, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(name + " is null");
        }
        String text = text(name, value);
        Assert.hasText(text, () -> name + " is blank");
        return text;
    }

    /**
     * The texts of the keys that a key expression gives: of a collection or an array, that of each element.
     *
     * @throws IllegalArgumentException saying what cannot be a key, and what to write instead
     */
    public static List<String> renderEach(@Nullable Object value) {
        if (value != null && value.getClass().isArray() && !isBytes(value.getClass())) {
            return renderEach(Arrays.asList(ObjectUtils.toObjectArray(value)));
        }
        if (!(value instanceof Collection<?> elements)
                || !KeyComponent.of(value.getClass()).isEmpty()) {
            return List.of(render("the key", value));
        }
        if (elements.isEmpty()) {
            throw new IllegalArgumentException(
                    "the key is an empty collection, so nothing would be locked. To run without a"
                            + " lock then, say so by a condition");
        }
        return elements.stream().map(each -> render("the key", each)).distinct().toList();
    }

    /** Whether a value that is declared so can be a key or several, for all that its type says. */
    static boolean isUsable(Class<?> declared) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(declared);
        // An interface and an abstract class may have classes that can, and an array of anything is abstract.
        boolean isOpen =
                type == Object.class || Modifier.isAbstract(type.getModifiers()) && !Map.class.isAssignableFrom(type);
        boolean isKey = printsItsValue(type)
                || Enum.class.isAssignableFrom(type)
                || Number.class.isAssignableFrom(type)
                || Collection.class.isAssignableFrom(type)
                || type.isRecord()
                || !KeyComponent.of(type).isEmpty();
        return (isOpen || isKey) && !isBytes(type);
    }

    /** Times of the JDK that have a form in ISO-8601 are final, and equal ones print the same. */
    private static boolean printsItsValue(Class<?> type) {
        boolean isTime = TemporalAccessor.class.isAssignableFrom(type) || TemporalAmount.class.isAssignableFrom(type);
        return CharSequence.class.isAssignableFrom(type)
                || type == UUID.class
                || type == Boolean.class
                || type == Character.class
                || isTime && type.getPackageName().equals("java.time");
    }

    private static String text(String name, Object value) {
        Class<?> type = value.getClass();
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof BigDecimal decimal) {
            return decimal(decimal);
        }
        if (value instanceof Double || value instanceof Float) {
            if (!Double.isFinite(((Number) value).doubleValue())) {
                throw new IllegalArgumentException(value + " cannot be a key. Take a number that is finite");
            }
            return decimal(new BigDecimal(value.toString()));
        }
        // Other numbers of the JDK are integers; those of others may print their identity.
        boolean isInteger = value instanceof Number && type.getName().startsWith("java.");
        if (isInteger || printsItsValue(type)) {
            return value.toString();
        }
        List<KeyComponent> components = KeyComponent.of(type);
        Assert.isTrue(
                !components.isEmpty() || type.isRecord(), () -> name + ": " + refusal(type) + ". " + advice(type));
        // Not by toString, which a record may override.
        return components.stream()
                .map(component -> component.name() + "=" + text(value, component))
                .collect(Collectors.joining(", ", type.getSimpleName() + "[", "]"));
    }

    private static String text(Object owner, KeyComponent component) {
        Object value = component.read(owner);
        if (value == null) {
            return "null";
        }
        String text = text(owner.getClass().getSimpleName() + "." + component.name(), value);
        // Quoted, so that no text can look like the next component.
        return value instanceof CharSequence || value instanceof Character
                ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
                : text;
    }

    /** 1, 1.0 and 1.00 are one number; so are 0.0 and -0.0. */
    private static String decimal(BigDecimal decimal) {
        BigDecimal stripped = decimal.stripTrailingZeros();
        return Math.abs((long) stripped.scale()) > MAX_PLAIN_SCALE ? stripped.toString() : stripped.toPlainString();
    }

    /** That such a value cannot be a key, and why not. */
    static String refusal(Class<?> type) {
        return "a " + type.getTypeName() + " cannot be a key"
                + (isCollection(type) ? ": it is a collection, and the text of equal ones may differ" : "");
    }

    /** What to write instead of it. */
    static String advice(Class<?> type) {
        if (isBytes(type)) {
            return "Make a text of it, such as T(java.util.HexFormat).of().formatHex(#hash) or new String(#chars)";
        }
        return isCollection(type)
                ? "Take a Collection or an array of keys to lock each of them (with a text before each:"
                        + " #ids.!['order:' + #this]; or write them in keys), one element, or a text of all in an order"
                        + " that is always the same, such as new java.util.TreeSet(#ids).toString()"
                : "Take a string, a number, a boolean, a UUID, an enum, a date or a time of java.time or a record of"
                        + " these, for example a property of it, or its toString() if that is its value";
    }

    private static boolean isCollection(Class<?> type) {
        return Iterable.class.isAssignableFrom(type)
                || Map.class.isAssignableFrom(type)
                || type.isArray() && !isBytes(type);
    }

    /** They are one value, such as a hash or a password, which is no key. */
    private static boolean isBytes(Class<?> type) {
        return type == byte[].class || type == char[].class;
    }
}
