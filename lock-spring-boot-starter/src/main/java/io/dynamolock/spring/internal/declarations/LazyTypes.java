package io.dynamolock.spring.internal.declarations;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.util.ClassUtils;

/**
 * Tells by what a type is whether its objects do their work only when they are used: functions, such as a
 * {@code Runnable}, and sources of elements, such as an {@code Iterable} that is no collection or a paginator of the
 * AWS SDK. A type that also has data of its own, such as a page of Spring Data, is none of these, although it may be a
 * source or a function, too.
 */
final class LazyTypes {

    /** The type that those of all lambdas of Kotlin extend. By name, because the library is optional. */
    private static final String FUNCTION_OF_KOTLIN = "kotlin.Function";

    /** Whether the type is known to work later for another reason than those that this class finds. */
    private final Predicate<Class<?>> worksLater;

    /** The types whose question is being answered: they may return themselves. */
    private final Set<Class<?>> underWay = new HashSet<>();

    private LazyTypes(Predicate<Class<?>> worksLater) {
        this.worksLater = worksLater;
    }

    /** @param worksLater whether a type is known to work later anyway, such as an iterator or a future */
    static boolean contain(Class<?> type, Predicate<Class<?>> worksLater) {
        return new LazyTypes(worksLater).contain(type);
    }

    private boolean contain(Class<?> type) {
        if (type.isArray() || type.isEnum() || Collection.class.isAssignableFrom(type) || !underWay.add(type)) {
            return false;
        }
        try {
            boolean isCursor = Iterable.class.isAssignableFrom(type) && AutoCloseable.class.isAssignableFrom(type);
            return isCursor || (type.isInterface() ? isLazyInterface(type) : isLazyClass(type));
        } finally {
            underWay.remove(type);
        }
    }

    /** An interface of one method that is a function by its own word, or gives what works later. */
    private boolean isLazyInterface(Class<?> type) {
        List<Method> open = methods(type)
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .toList();
        boolean isOne = !open.isEmpty() && open.stream().allMatch(method -> isSame(method, open.get(0)));
        return isAnyFunctionOfKotlin(type)
                || isOne
                        && open.stream()
                                .anyMatch(method -> isFunction(type)
                                        || isFunction(method.getDeclaringClass())
                                        || givesLater(method));
    }

    /** Whether the interface says of itself that it is a function. */
    private static boolean isFunction(Class<?> type) {
        return type.isAnnotationPresent(FunctionalInterface.class)
                || Arrays.stream(type.getInterfaces()).anyMatch(LazyTypes::isAnyFunctionOfKotlin);
    }

    private static boolean isAnyFunctionOfKotlin(Class<?> type) {
        return type.getName().equals(FUNCTION_OF_KOTLIN);
    }

    /** A class that can do nothing but what such an interface asks for, and give more of the kind. */
    private boolean isLazyClass(Class<?> type) {
        List<Method> ofInterfaces = ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .filter(this::contain)
                .flatMap(LazyTypes::methods)
                .toList();
        return !ofInterfaces.isEmpty()
                && methods(type)
                        .allMatch(method -> givesLater(method)
                                || underWay.contains(method.getReturnType())
                                || ofInterfaces.stream().anyMatch(asked -> isSame(asked, method)));
    }

    private boolean givesLater(Method method) {
        return worksLater.test(method.getReturnType()) || contain(method.getReturnType());
    }

    /** The public methods of objects of this type, but for those that every object has. */
    private static Stream<Method> methods(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers())
                        && method.getDeclaringClass() != Object.class
                        && !ClassUtils.hasMethod(Object.class, method.getName(), method.getParameterTypes()));
    }

    /** Without a look at the types of the parameters, which may be narrower in a subtype. */
    private static boolean isSame(Method one, Method other) {
        return one.getName().equals(other.getName()) && one.getParameterCount() == other.getParameterCount();
    }
}
