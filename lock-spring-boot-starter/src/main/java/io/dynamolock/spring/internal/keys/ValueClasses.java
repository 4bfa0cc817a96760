package io.dynamolock.spring.internal.keys;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypedValue;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Value classes of Kotlin. At run time, as a rule, a value of such a class is the value in it: a parameter of the type
 * {@code OrderId} is a {@code String}. Only where a value must be an object, such as in a list, it is one. Getters of
 * such types have names that no source can contain. This object lets expressions read properties with such getters.
 */
final class ValueClasses implements PropertyAccessor {

    /** The method, made by Kotlin's compiler, that gives the value in an object of a value class. */
    private static final String UNBOX = "unbox-impl";

    /** What Kotlin's compiler adds to the name of a method that returns a value class: seven digits of base 64. */
    private static final Pattern ADDED = Pattern.compile("-[A-Za-z0-9_-]{7}$");

    /**
     * The order of methods with the same name in the source: methods that are written there come before bridges, and
     * methods without an addition to their name before others.
     */
    private static final Comparator<Method> PREFERENCE = Comparator.comparing(Method::isBridge)
            .thenComparing(method -> !nameInSource(method).equals(method.getName()))
            .thenComparing(Method::getName);

    /**
     * The methods without parameters of a class, by their names in the source, because to look for them costs more than
     * all else in a key. The values are types of the JDK, so that no class keeps the class loader of this one alive.
     */
    private static final ClassValue<Map<String, Method>> METHODS = new ClassValue<>() {
        @Override
        protected Map<String, Method> computeValue(Class<?> type) {
            return Arrays.stream(type.getMethods())
                    .filter(method -> method.getParameterCount() == 0)
                    .sorted(PREFERENCE)
                    .collect(Collectors.toUnmodifiableMap(
                            ValueClasses::nameInSource, Function.identity(), (preferred, other) -> preferred));
        }
    };

    private static String nameInSource(Method method) {
        return ADDED.matcher(method.getName()).replaceFirst("");
    }

    /** The type of the value in an object of this type; the type itself if it is no value class. */
    static Class<?> unboxed(Class<?> type) {
        Method unbox = unbox(type);
        return unbox == null ? type : unbox.getReturnType();
    }

    /** The value in the object; the object itself if its class is no value class. */
    static Object unboxed(Object value) {
        Method unbox = unbox(value.getClass());
        return unbox == null ? value : Objects.requireNonNull(invoke(unbox, value));
    }

    private static @Nullable Method unbox(Class<?> type) {
        return KotlinDetector.isKotlinType(type) ? find(type, UNBOX) : null;
    }

    /**
     * The method of this name, with or without what Kotlin's compiler adds to it; null if there is none. It takes no
     * parameters. If there are several, the choice is the same in every process, because a key depends on it.
     */
    static @Nullable Method find(Class<?> type, String name) {
        return METHODS.get(type).get(name);
    }

    /** Whether objects of exactly this type have a property of this name. */
    static boolean hasProperty(Class<?> type, String name) {
        return find(type, "get" + StringUtils.capitalize(name)) != null
                || find(type, "is" + StringUtils.capitalize(name)) != null
                || find(type, name) != null
                || Arrays.stream(type.getFields())
                        .anyMatch(field -> field.getName().equals(name));
    }

    private static @Nullable Object invoke(Method method, Object target) {
        ReflectionUtils.makeAccessible(method);
        return ReflectionUtils.invokeMethod(method, target);
    }

    private static @Nullable Method getter(@Nullable Object target, String name) {
        return target == null || !KotlinDetector.isKotlinType(target.getClass())
                ? null
                : find(target.getClass(), "get" + StringUtils.capitalize(name));
    }

    @Override
    public Class<?> @Nullable [] getSpecificTargetClasses() {
        return null;
    }

    @Override
    public boolean canRead(EvaluationContext context, @Nullable Object target, String name) {
        return getter(target, name) != null;
    }

    @Override
    public TypedValue read(EvaluationContext context, @Nullable Object target, String name) {
        return new TypedValue(invoke(Objects.requireNonNull(getter(target, name)), Objects.requireNonNull(target)));
    }

    @Override
    public boolean canWrite(EvaluationContext context, @Nullable Object target, String name) {
        return false;
    }

    @Override
    public void write(EvaluationContext context, @Nullable Object target, String name, @Nullable Object newValue)
            throws AccessException {
        throw new AccessException("A key writes nothing.");
    }
}
