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
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;

/**
 * Turns the value of a key expression into the text of the key. Equal values give equal texts in every process. A type
 * that cannot promise that is refused.
 */
public final class KeyRendering {

    /** A number with more decimal places is written with an exponent, to bound the length of the text. */
    private static final int MAX_PLAIN_SCALE = 400;

    private KeyRendering() {}

    /**
     * The text of one key.
     *
     * @param name names the value in messages
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
     * The texts of all keys that a key expression gives: one for each element of a collection or an array, else one.
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
        return elements.stream()
                .map(element -> render("the key", element))
                .distinct()
                .toList();
    }

    /** Whether a value of this declared type can be a key or a collection of keys. */
    static boolean isUsable(Class<?> declared) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(ValueClasses.unboxed(declared));
        // Some subclass of an interface or abstract class may be usable. To reflection, arrays are abstract, too.
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

    /**
     * Whether {@code toString} returns the value itself, as for texts, UUIDs and the times of the JDK, which are
     * printed in ISO-8601.
     */
    private static boolean printsItsValue(Class<?> type) {
        boolean isTime = TemporalAccessor.class.isAssignableFrom(type) || TemporalAmount.class.isAssignableFrom(type);
        return CharSequence.class.isAssignableFrom(type)
                || type == UUID.class
                || type == Boolean.class
                || type == Character.class
                || isTime && type.getPackageName().equals("java.time");
    }

    private static String text(String name, Object given) {
        Object value = ValueClasses.unboxed(given);
        Class<?> type = value.getClass();
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof BigDecimal decimal) {
            return decimal(decimal);
        }
        if (value instanceof Number number && isFloatingPoint(number)) {
            if (!Double.isFinite(number.doubleValue())) {
                throw new IllegalArgumentException(value + " cannot be a key. Take a number that is finite");
            }
            return decimal(new BigDecimal(number.toString()));
        }
        // The remaining number classes of the JDK are integers. A number class of another library may have a toString
        // that prints the identity of the object.
        boolean isInteger = value instanceof Number && type.getName().startsWith("java.");
        if (isInteger || printsItsValue(type)) {
            return value.toString();
        }
        List<KeyComponent> components = KeyComponent.of(type);
        Assert.isTrue(
                !components.isEmpty() || type.isRecord(), () -> name + ": " + refusal(type) + ". " + advice(type));
        // Written component by component, because a record may override toString.
        return components.stream()
                .map(component -> component.name() + "=" + text(value, component))
                .collect(Collectors.joining(", ", type.getSimpleName() + "[", "]"));
    }

    private static boolean isFloatingPoint(Number number) {
        return number instanceof Double
                || number instanceof Float
                || number instanceof DoubleAdder
                || number instanceof DoubleAccumulator;
    }

    private static String text(Object owner, KeyComponent component) {
        Object value = component.read(owner);
        if (value == null) {
            return "null";
        }
        String text = text(owner.getClass().getSimpleName() + "." + component.name(), value);
        // Quoted, so that no text can be mistaken for the next component.
        return value instanceof CharSequence || value instanceof Character
                ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
                : text;
    }

    /** One text for equal numbers: 1, 1.0 and 1.00 are equal, and so are 0.0 and -0.0. */
    private static String decimal(BigDecimal decimal) {
        BigDecimal stripped = decimal.stripTrailingZeros();
        return Math.abs((long) stripped.scale()) > MAX_PLAIN_SCALE ? stripped.toString() : stripped.toPlainString();
    }

    /** A sentence, without a full stop, that says that a value of this type cannot be a key, and why. */
    static String refusal(Class<?> type) {
        return "a " + type.getTypeName() + " cannot be a key"
                + (isCollection(type) ? ": it is a collection, and the text of equal ones may differ" : "");
    }

    /** A sentence, without a full stop, that says what to write instead. */
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

    /** An array of bytes or characters is one value, such as a hash or a password, not a collection of keys. */
    private static boolean isBytes(Class<?> type) {
        return type == byte[].class || type == char[].class;
    }
}
