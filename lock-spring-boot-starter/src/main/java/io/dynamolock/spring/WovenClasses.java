package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** What AspectJ leaves in a class that it has woven. */
final class WovenClasses {

    /** Comes after the name of the method in that of the one to which AspectJ has moved its body. */
    private static final String MOVED_BODY = "_aroundBody";

    private WovenClasses() {}

    /** Whether calls of the method reach an aspect around it. Which one cannot be seen. */
    static boolean hasAdviceAround(Method method) {
        return Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
                .anyMatch(moved -> moved.getName().startsWith(method.getName() + MOVED_BODY) && takes(moved, method));
    }

    /** The object, if there is one, and the arguments; then what belongs to AspectJ. */
    private static boolean takes(Method moved, Method method) {
        Class<?>[] given = moved.getParameterTypes();
        Class<?>[] wanted = method.getParameterTypes();
        int first = Modifier.isStatic(method.getModifiers()) ? 0 : 1;
        return given.length >= first + wanted.length
                && Arrays.equals(given, first, first + wanted.length, wanted, 0, wanted.length);
    }
}
