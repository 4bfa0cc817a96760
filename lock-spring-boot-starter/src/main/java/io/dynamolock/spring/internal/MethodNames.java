package io.dynamolock.spring.internal;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The names of methods in errors and metrics. */
public final class MethodNames {

    /** The length of a hyphen and the hash that Kotlin's compiler adds to a name. */
    private static final int KOTLIN_HASH = 8;

    private MethodNames() {}

    /** As in {@code OrderService.placeOrder(String, BigDecimal)}. */
    public static String full(Method method, Class<?> targetClass) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return brief(method, targetClass) + "(" + parameters + ")";
    }

    /** As in {@code OrderService.placeOrder}. */
    public static String brief(Method method, Class<?> targetClass) {
        return targetClass.getSimpleName() + "." + written(method.getName());
    }

    /**
     * The name as it is in the source. Kotlin's compiler adds a hyphen and a hash to the name of a function whose
     * parameters or result have the type of a value class.
     */
    public static String written(String name) {
        int hyphen = name.lastIndexOf('-');
        return hyphen > 0 && name.length() - hyphen == KOTLIN_HASH ? name.substring(0, hyphen) : name;
    }
}
