package io.dynamolock.spring.internal;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The names of methods in errors and metrics. */
public final class MethodNames {

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
        return targetClass.getSimpleName() + "." + method.getName();
    }
}
