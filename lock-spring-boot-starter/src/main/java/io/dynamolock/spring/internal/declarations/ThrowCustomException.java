package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;

/**
 * Throws the application's own exception after a timeout, with the message of the {@link LockTimeoutException}, and
 * caused by it.
 */
record ThrowCustomException(Constructor<?> constructor) implements TimeoutAction.Answer {

    /** The parameters of a usable constructor. The first match in this order is taken. */
    private static final List<List<Class<?>>> CONSTRUCTORS =
            List.of(List.of(String.class, Throwable.class), List.of(String.class), List.of(Throwable.class), List.of());

    /** @throws InvalidDynamoLockedException if the exception cannot be made */
    static ThrowCustomException of(Class<? extends RuntimeException> type, String description) {
        return CONSTRUCTORS.stream()
                .flatMap(parameters -> Arrays.stream(type.getDeclaredConstructors())
                        .filter(candidate -> parameters.equals(List.of(candidate.getParameterTypes()))))
                .filter(candidate -> !Modifier.isAbstract(type.getModifiers()))
                .findFirst()
                .map(ThrowCustomException::new)
                .orElseThrow(
                        () -> new InvalidDynamoLockedException(
                                description,
                                "the timeoutException " + type.getSimpleName() + " cannot be made.",
                                "Give it a constructor with a message and a cause, one of them, or none, and let it not be abstract."));
    }

    @Override
    public Object answer(MethodInvocation call, LockTimeoutException timeout) throws Throwable {
        Object[] arguments = Arrays.stream(constructor.getParameterTypes())
                .map(type -> type == String.class ? timeout.getMessage() : timeout)
                .toArray();
        RuntimeException exception;
        try {
            exception = (RuntimeException) BeanUtils.instantiateClass(constructor, arguments);
        } catch (BeanInstantiationException e) {
            Throwable thrown = Objects.requireNonNull(e.getCause());
            thrown.addSuppressed(timeout);
            throw thrown;
        }
        if (exception.getCause() == null) {
            try {
                exception.initCause(timeout);
            } catch (IllegalStateException itSaysItHasNone) {
                exception.addSuppressed(timeout);
            }
        }
        throw exception;
    }
}
