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

/** The method that is called instead of a locked one whose wait is over. */
record Fallback(Method method) implements TimeoutAction {

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
        // Else one that takes anything for a type parameter.
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

    /** As woven methods may be: they have no object to call another method on. */
    private static boolean isStatic(Method method) {
        return Modifier.isStatic(method.getModifiers());
    }

    /** As the class of the bean makes them of type parameters, without the continuation of a suspending function. */
    private static List<Class<?>> parameters(Method method, Class<?> targetClass) {
        return IntStream.range(0, method.getParameterCount() - (suspends(method) ? 1 : 0))
                .<Class<?>>mapToObj(i -> ResolvableType.forMethodParameter(method, i, targetClass)
                        .toClass())
                .toList();
    }

    private static boolean fits(List<Class<?>> types, List<Class<?>> parameters) {
        int own = parameters.size();
        return types.equals(parameters)
                || types.size() == own + 1
                        && types.subList(0, own).equals(parameters)
                        && types.get(own).isAssignableFrom(LockTimeoutException.class);
    }

    private static String signature(String name, List<Class<?>> parameters, Method locked) {
        return (suspends(locked) ? "suspend " : isStatic(locked) ? "static " : "")
                + locked.getReturnType().getSimpleName() + " " + name
                + parameters.stream().map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
    }

    private void check(Method locked, Class<?> targetClass, String description) {
        ResolvableType wanted = ResolvableType.forMethodReturnType(locked, targetClass);
        ResolvableType given = ResolvableType.forMethodReturnType(method, targetClass);
        if (wanted.resolve() != void.class && !wanted.isAssignableFromResolvedPart(given)) {
            throw new InvalidDynamoLockedException(
                    description,
                    "its fallbackMethod \"" + method.getName() + "\" returns " + name(given) + ", not " + name(wanted)
                            + ".",
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

    /** Without packages, as in {@code Mono<String>}. */
    private static String name(ResolvableType type) {
        return type.toString().replaceAll("[\\w.]+\\.", "");
    }

    @Override
    public @Nullable Object answer(MethodInvocation call, LockTimeoutException timeout) throws Throwable {
        List<@Nullable Object> arguments = new ArrayList<@Nullable Object>(Arrays.asList(call.getArguments()));
        if (arguments.size() < method.getParameterCount()) {
            arguments.add(arguments.size() - (suspends(method) ? 1 : 0), timeout);
        }
        // Of a suspending function it makes what the aspects around it have as well.
        return AopUtils.invokeJoinpointUsingReflection(call.getThis(), method, arguments.toArray());
    }
}
