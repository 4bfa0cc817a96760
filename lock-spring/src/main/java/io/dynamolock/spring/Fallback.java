package io.dynamolock.spring;

import io.dynamolock.LockTimeoutException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The method that is called instead of a locked one whose wait is over. */
final class Fallback implements WaitOver {

    private final Method method;
    private final int handleParameter;
    private final boolean takesException;

    private Fallback(Method method, int handleParameter, boolean takesException) {
        this.method = method;
        this.handleParameter = handleParameter;
        this.takesException = takesException;
        ReflectionUtils.makeAccessible(method);
    }

    /** @throws InvalidDynamoLockedException if there is no such method, or more than one, or it does not fit */
    static Fallback find(String name, Method locked, Class<?> targetClass, String description) {
        int handle = HandleParameter.indexIn(locked);
        List<Class<?>> parameters = new ArrayList<>(written(locked));
        if (handle >= 0) {
            parameters.remove(handle);
        }
        List<Fallback> fitting = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(targetClass))
                .filter(method -> method.getName().equals(name) && !method.isBridge() && !method.equals(locked))
                .filter(method -> suspends(method) == suspends(locked) && fits(written(method), parameters))
                .map(method -> new Fallback(method, handle, written(method).size() > parameters.size()))
                .toList();
        if (fitting.size() != 1) {
            throw new InvalidDynamoLockedException(
                    description,
                    "the fallbackMethod \"" + name + "\" "
                            + (fitting.isEmpty() ? "does not exist in " : "exists twice in ")
                            + targetClass.getSimpleName() + ".",
                    "Write one method " + signature(name, parameters, locked)
                            + ", or with a LockTimeoutException last.",
                    null);
        }
        fitting.get(0).check(locked, description);
        return fitting.get(0);
    }

    private static boolean suspends(Method method) {
        return KotlinDetector.isSuspendingFunction(method);
    }

    /** Without the continuation of a suspending function, which nobody wrote. */
    private static List<Class<?>> written(Method method) {
        List<Class<?>> types = Arrays.asList(method.getParameterTypes());
        return suspends(method) ? types.subList(0, types.size() - 1) : types;
    }

    private static boolean fits(List<Class<?>> types, List<Class<?>> parameters) {
        return types.equals(parameters)
                || types.size() == parameters.size() + 1
                        && types.subList(0, parameters.size()).equals(parameters)
                        && types.get(parameters.size()).isAssignableFrom(LockTimeoutException.class);
    }

    private static String signature(String name, List<Class<?>> parameters, Method locked) {
        return (suspends(locked) ? "suspend " : "") + locked.getReturnType().getSimpleName() + " " + name
                + parameters.stream().map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
    }

    private void check(Method locked, String description) {
        Class<?> wanted = locked.getReturnType();
        if (wanted != void.class && !ClassUtils.isAssignable(wanted, method.getReturnType())) {
            throw new InvalidDynamoLockedException(
                    description,
                    "its fallbackMethod \"" + method.getName() + "\" returns "
                            + method.getReturnType().getSimpleName() + ", not " + wanted.getSimpleName() + ".",
                    "Let both return the same.",
                    null);
        }
        if (MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(DynamoLocked.class)) {
            throw new InvalidDynamoLockedException(
                    description,
                    "its fallbackMethod \"" + method.getName()
                            + "\" has a @DynamoLocked of its own, but it is called on the object itself, not on its"
                            + " proxy, so it would take no lock.",
                    "Take that annotation away.",
                    null);
        }
    }

    @Override
    public @Nullable Object answer(MethodInvocation call, LockTimeoutException timeout) throws Throwable {
        List<@Nullable Object> arguments = new ArrayList<>(Arrays.asList(call.getArguments()));
        if (handleParameter >= 0) {
            arguments.remove(handleParameter);
        }
        if (takesException) {
            arguments.add(suspends(method) ? arguments.size() - 1 : arguments.size(), timeout);
        }
        // Of a suspending function it makes what the aspects around it have as well.
        return AopUtils.invokeJoinpointUsingReflection(call.getThis(), method, arguments.toArray());
    }
}
