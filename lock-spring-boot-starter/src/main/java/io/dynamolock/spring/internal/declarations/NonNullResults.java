package io.dynamolock.spring.internal.declarations;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.NullUnmarked;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.Nullness;
import org.springframework.util.ClassUtils;

/** The methods that must not return null, by what their declarations say. */
final class NonNullResults {

    /** Since Spring 7. */
    private static final boolean SPRING_KNOWS =
            ClassUtils.isPresent("org.springframework.core.Nullness", NonNullResults.class.getClassLoader());

    private NonNullResults() {}

    static boolean includes(Method method) {
        return SPRING_KNOWS ? Nullness.forMethodReturnType(method) == Nullness.NON_NULL : includesBeforeSpring7(method);
    }

    /** The same, without Spring 7: by the primitive types, by Kotlin's types, and by the annotations of JSpecify. */
    static boolean includesBeforeSpring7(Method method) {
        if (KotlinDetector.isKotlinReflectPresent() && KotlinDetector.isKotlinType(method.getDeclaringClass())) {
            return !new MethodParameter(method, -1).isOptional();
        }
        AnnotatedType type = method.getAnnotatedReturnType();
        if (Stream.of(method, type).anyMatch(NonNullResults::isNullable)) {
            return false;
        }
        return method.getReturnType().isPrimitive()
                ? method.getReturnType() != void.class
                : type.isAnnotationPresent(NonNull.class) || isMarked(method);
    }

    /** By the simple name, because many libraries have such an annotation. */
    private static boolean isNullable(AnnotatedElement declared) {
        return Arrays.stream(declared.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> type.getSimpleName().equals("Nullable"));
    }

    /** Whether the innermost mark around the result says that types without an annotation exclude null. */
    private static boolean isMarked(Method method) {
        Stream<Class<?>> classes =
                Stream.iterate(method.getDeclaringClass(), Objects::nonNull, Class::getEnclosingClass);
        return Stream.of(
                        Stream.of(method),
                        classes,
                        Stream.ofNullable(method.getDeclaringClass().getPackage()))
                .flatMap(elements -> elements)
                .map(AnnotatedElement.class::cast)
                .filter(element -> element.isAnnotationPresent(NullMarked.class)
                        || element.isAnnotationPresent(NullUnmarked.class))
                .findFirst()
                .filter(innermost -> innermost.isAnnotationPresent(NullMarked.class))
                .isPresent();
    }
}
