package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/** After a timeout, calls another method of the same object in place of the locked method. */
record Fallback(Method method) implements TimeoutAction.Answer {

    /** @throws InvalidDynamoLockedException if there is no such method, or more than one, or it does not fit */
    static Fallback find(String name, Method locked, Class<?> targetClass, String description) {
        List<Class<?>> parameters = parameters(locked, targetClass);
        Function<List<Class<?>>, List<Method>> taking = wanted -> Arrays.stream(
                        ReflectionUtils.getUniqueDeclaredMethods(targetClass))
                .filter(method -> method.getName().equals(name) && !method.isBridge() && !method.equals(locked))
                .filter(method -> suspends(method) == suspends(locked) && (isStatic(method) || !isStatic(locked)))
                .filter(method -> fits(parameters(method, targetClass), wanted))
                .toList();
        List<Method> exact = taking.apply(parameters);
        // If no method fits exactly, a method that declares Object in place of a type parameter is acceptable.
        List<Method> fitting = exact.isEmpty() ? taking.apply(parameters(locked, locked.getDeclaringClass())) : exact;
        if (fitting.size() != 1) {
            throw new InvalidDynamoLockedException(
                    description,
                    "the fallbackMethod \"" + name + "\" "
                            + (fitting.isEmpty() ? "does not exist in " : "exists twice in ")
                            + targetClass.getSimpleName() + ".",
                    "Write one method " + signature(name, parameters, locked)
                            + ", or with a LockTimeoutException last.");
        }
        Fallback fallback = new Fallback(fitting.get(0));
        fallback.check(locked, targetClass, description);
        return fallback;
    }

    private static boolean suspends(Method method) {
        return KotlinDetector.isSuspendingFunction(method);
    }

    /** Woven methods may be static, and then have no object on which to call another method. */
    private static boolean isStatic(Method method) {
        return Modifier.isStatic(method.getModifiers());
    }

    /**
     * The parameters with the type parameters resolved by the bean's class, and without the continuation of a
     * suspending function.
     */
    private static List<Class<?>> parameters(Method method, Class<?> targetClass) {
        return IntStream.range(0, method.getParameterCount() - (suspends(method) ? 1 : 0))
                .<Class<?>>mapToObj(i -> ResolvableType.forMethodParameter(method, i, targetClass)
                        .toClass())
                .toList();
    }

    private static boolean fits(List<Class<?>> types, List<Class<?>> parameters) {
        int count = parameters.size();
        return types.equals(parameters)
                || types.size() == count + 1
                        && types.subList(0, count).equals(parameters)
                        && types.get(count).isAssignableFrom(LockTimeoutException.class);
    }

    private static String signature(String name, List<Class<?>> parameters, Method locked) {
        return (suspends(locked) ? "suspend " : isStatic(locked) ? "static " : "")
                + locked.getReturnType().getSimpleName() + " " + name
                + parameters.stream().map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
    }

    private void check(Method locked, Class<?> targetClass, String description) {
        ResolvableType expected = ResolvableType.forMethodReturnType(locked, targetClass);
        ResolvableType actual = ResolvableType.forMethodReturnType(method, targetClass);
        if (expected.resolve() != void.class && !expected.isAssignableFromResolvedPart(actual)) {
            throw new InvalidDynamoLockedException(
                    description,
                    "its fallbackMethod \"" + method.getName() + "\" returns " + name(actual) + ", not "
                            + name(expected) + ".",
                    "Let both return the same.");
        }
        if (MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(DynamoLocked.class)) {
            throw new InvalidDynamoLockedException(
                    description,
                    "its fallbackMethod \"" + method.getName()
                            + "\" has a @DynamoLocked of its own, but it is called on the object itself, not on its"
                            + " proxy, so it would take no lock.",
                    "Take that annotation away.");
        }
    }

    /** The name without packages, such as {@code Mono<String>}. */
    private static String name(ResolvableType type) {
        return type.toString().replaceAll("[\\w.]+\\.", "");
    }

    @Override
    public @Nullable Object answer(MethodInvocation call, LockTimeoutException timeout) throws Throwable {
        List<@Nullable Object> arguments = new ArrayList<@Nullable Object>(Arrays.asList(call.getArguments()));
        if (arguments.size() < method.getParameterCount()) {
            arguments.add(arguments.size() - (suspends(method) ? 1 : 0), timeout);
        }
        // For a suspending function this returns a Mono, which the aspects around the locked method expect.
        return AopUtils.invokeJoinpointUsingReflection(call.getThis(), method, arguments.toArray());
    }
}
