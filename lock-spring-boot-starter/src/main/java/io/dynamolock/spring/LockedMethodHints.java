package io.dynamolock.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/**
 * What a {@link DynamoLocked} or {@link DynamoLeader} needs of the class it stands in: its methods, one of which may be named as
 * the fallback, and of a method's arguments what a key expression can read of them.
 */
final class LockedMethodHints implements ReflectiveProcessor {

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (element instanceof Class<?> type) {
            hints.registerType(type, MemberCategory.INVOKE_DECLARED_METHODS);
            Arrays.stream(type.getDeclaredMethods()).forEach(method -> arguments(hints, method));
        } else if (element instanceof Method method) {
            hints.registerType(method.getDeclaringClass(), MemberCategory.INVOKE_DECLARED_METHODS);
            hints.registerMethod(method, ExecutableMode.INVOKE);
            arguments(hints, method);
        }
    }

    private static void arguments(ReflectionHints hints, Method method) {
        Stream.of(method.getParameterTypes())
                .filter(type -> !type.isPrimitive() && !type.isArray())
                .forEach(type -> hints.registerType(
                        type, MemberCategory.INVOKE_PUBLIC_METHODS, MemberCategory.ACCESS_PUBLIC_FIELDS));
    }
}
