package io.dynamolock.spring;

import io.dynamolock.LockTimeoutException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.util.ReflectionUtils;

/** Throws an exception of the application's where the wait is over, with the message of ours and with ours as its cause. */
final class OwnTimeoutException implements WaitOver {

    /** The constructors that are looked for, in this order. */
    private static final List<List<Class<?>>> CONSTRUCTORS =
            List.of(List.of(String.class, Throwable.class), List.of(String.class), List.of(Throwable.class), List.of());

    private final Constructor<? extends RuntimeException> constructor;

    private OwnTimeoutException(Constructor<? extends RuntimeException> constructor) {
        this.constructor = constructor;
        ReflectionUtils.makeAccessible(constructor);
    }

    /** @throws InvalidDynamoLockedException if it cannot be made */
    static OwnTimeoutException of(Class<? extends RuntimeException> type, String description) {
        return CONSTRUCTORS.stream()
                .flatMap(parameters -> constructor(type, parameters).stream())
                .findFirst()
                .map(OwnTimeoutException::new)
                .orElseThrow(() -> new InvalidDynamoLockedException(
                        description,
                        "the timeoutException " + type.getSimpleName() + " cannot be made.",
                        "Give it a constructor with a message and a cause, one of them, or none, and let it not be abstract.",
                        null));
    }

    private static Optional<Constructor<? extends RuntimeException>> constructor(
            Class<? extends RuntimeException> type, List<Class<?>> parameters) {
        if (Modifier.isAbstract(type.getModifiers())) {
            return Optional.empty();
        }
        try {
            return Optional.of(type.getDeclaredConstructor(parameters.toArray(Class<?>[]::new)));
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        }
    }

    @Override
    public Object answer(MethodInvocation call, LockTimeoutException timeout) throws Throwable {
        RuntimeException own;
        try {
            own = constructor.newInstance(Arrays.stream(constructor.getParameterTypes())
                    .map(type -> type == String.class ? timeout.getMessage() : timeout)
                    .toArray());
        } catch (InvocationTargetException e) {
            e.getTargetException().addSuppressed(timeout);
            throw e.getTargetException();
        }
        if (own.getCause() == null) {
            giveCause(own, timeout);
        }
        throw own;
    }

    private static void giveCause(RuntimeException own, LockTimeoutException timeout) {
        try {
            own.initCause(timeout);
        } catch (IllegalStateException itSaysItHasNone) {
            own.addSuppressed(timeout);
        }
    }
}
