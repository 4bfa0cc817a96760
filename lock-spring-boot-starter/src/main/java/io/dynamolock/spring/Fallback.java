package io.dynamolock.spring;

import io.dynamolock.LockTimeoutException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
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
        List<Class<?>> parameters = withoutHandle(locked, written(locked, targetClass));
        List<Method> named = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(targetClass))
                .filter(method -> method.getName().equals(name) && !method.isBridge() && !method.equals(locked))
                .filter(method -> suspends(method) == suspends(locked))
                .toList();
        List<Method> fitting = named.stream()
                .filter(method -> fits(written(method, targetClass), parameters))
                .toList();
        if (fitting.isEmpty()) {
            // One that takes an Object where the class says what a type parameter is.
            List<Class<?>> erased = withoutHandle(locked, erased(locked));
            fitting = named.stream()
                    .filter(method -> fits(erased(method), erased) && take(written(method, targetClass), parameters))
                    .toList();
        }
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
        Method method = fitting.get(0);
        Fallback fallback = new Fallback(
                method, HandleParameter.indexIn(locked), erased(method).size() > parameters.size());
        fallback.check(locked, targetClass, description);
        return fallback;
    }

    private static List<Class<?>> withoutHandle(Method locked, List<Class<?>> types) {
        int handle = HandleParameter.indexIn(locked);
        return IntStream.range(0, types.size())
                .filter(i -> i != handle)
                .<Class<?>>mapToObj(types::get)
                .toList();
    }

    private static boolean suspends(Method method) {
        return KotlinDetector.isSuspendingFunction(method);
    }

    /** Without the continuation of a suspending function, which nobody wrote. */
    private static List<Class<?>> erased(Method method) {
        return Arrays.asList(method.getParameterTypes())
                .subList(0, method.getParameterCount() - (suspends(method) ? 1 : 0));
    }

    /** As the class of the bean makes them of type parameters. */
    private static List<Class<?>> written(Method method, Class<?> targetClass) {
        return IntStream.range(0, erased(method).size())
                .<Class<?>>mapToObj(i -> ResolvableType.forMethodParameter(method, i, targetClass)
                        .resolve(method.getParameterTypes()[i]))
                .toList();
    }

    private static boolean fits(List<Class<?>> types, List<Class<?>> parameters) {
        return types.equals(parameters)
                || types.size() == parameters.size() + 1
                        && types.subList(0, parameters.size()).equals(parameters)
                        && types.get(parameters.size()).isAssignableFrom(LockTimeoutException.class);
    }

    private static boolean take(List<Class<?>> types, List<Class<?>> parameters) {
        return IntStream.range(0, parameters.size()).allMatch(i -> types.get(i).isAssignableFrom(parameters.get(i)));
    }

    private static String signature(String name, List<Class<?>> parameters, Method locked) {
        return (suspends(locked) ? "suspend " : "") + locked.getReturnType().getSimpleName() + " " + name
                + parameters.stream().map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
    }

    private void check(Method locked, Class<?> targetClass, String description) {
        ResolvableType wanted = ResolvableType.forMethodReturnType(locked, targetClass);
        ResolvableType given = ResolvableType.forMethodReturnType(method, targetClass);
        if (wanted.resolve() != void.class && !isAssignable(wanted, given)) {
            throw new InvalidDynamoLockedException(
                    description,
                    "its fallbackMethod \"" + method.getName() + "\" returns " + name(given) + ", not " + name(wanted)
                            + ".",
                    "Let both return the same.",
                    null);
        }
        if (Modifier.isStatic(locked.getModifiers()) && !Modifier.isStatic(method.getModifiers())) {
            throw new InvalidDynamoLockedException(
                    description,
                    "it is static, and its fallbackMethod \"" + method.getName() + "\" is not.",
                    "Make both static.",
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

    /** Type parameters of a method are anything. */
    private static boolean isAssignable(ResolvableType wanted, ResolvableType given) {
        return wanted.hasUnresolvableGenerics() || given.hasUnresolvableGenerics() || wanted.resolve() == null
                ? ClassUtils.isAssignable(wanted.toClass(), given.toClass())
                : wanted.isAssignableFrom(given);
    }

    /** As in {@code Mono<String>}. Type parameters of a method may be made of themselves, so they are left out. */
    private static String name(ResolvableType type) {
        if (type.hasUnresolvableGenerics()) {
            return type.toClass().getSimpleName();
        }
        String generics = Arrays.stream(type.getGenerics()).map(Fallback::name).collect(Collectors.joining(", "));
        return type.toClass().getSimpleName() + (generics.isEmpty() ? "" : "<" + generics + ">");
    }

    @Override
    public @Nullable Object answer(MethodInvocation call, LockTimeoutException timeout) throws Throwable {
        List<@Nullable Object> arguments = new ArrayList<@Nullable Object>(Arrays.asList(call.getArguments()));
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
