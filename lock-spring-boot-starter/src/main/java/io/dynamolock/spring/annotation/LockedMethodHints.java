package io.dynamolock.spring.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/**
 * Registers for reflection what {@link DynamoLocked} and {@link DynamoLeader} look up: the methods of the annotated
 * class, one of which may be the fallback, and the members of argument types that a key expression can read.
 */
final class LockedMethodHints implements ReflectiveProcessor {

    /** Has another name before Spring 7. */
    private static final MemberCategory PUBLIC_FIELDS = Arrays.stream(MemberCategory.values())
            .filter(category -> category.name().equals("ACCESS_PUBLIC_FIELDS"))
            .findFirst()
            .orElseGet(() -> MemberCategory.valueOf("PUBLIC_FIELDS"));

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        Class<?> type = element instanceof Method method ? method.getDeclaringClass() : (Class<?>) element;
        hints.registerType(type, MemberCategory.INVOKE_DECLARED_METHODS);
        Arrays.stream(type.getDeclaredMethods())
                .flatMap(method -> Arrays.stream(method.getParameterTypes()))
                .filter(argument -> !argument.isPrimitive() && !argument.isArray())
                .forEach(argument -> hints.registerType(argument, MemberCategory.INVOKE_PUBLIC_METHODS, PUBLIC_FIELDS));
    }
}
