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

/** Throws an exception of the application's where the wait is over, with the message of ours and with ours as its cause. */
record CustomTimeoutException(Constructor<?> constructor) implements TimeoutAction {

    /** The constructors that are looked for, in this order. */
    private static final List<List<Class<?>>> CONSTRUCTORS =
            List.of(List.of(String.class, Throwable.class), List.of(String.class), List.of(Throwable.class), List.of());

    /** @throws InvalidDynamoLockedException if it cannot be made */
    static CustomTimeoutException of(Class<? extends RuntimeException> type, String description) {
        return CONSTRUCTORS.stream()
                .flatMap(parameters -> Arrays.stream(type.getDeclaredConstructors())
                        .filter(each -> parameters.equals(List.of(each.getParameterTypes()))))
                .filter(found -> !Modifier.isAbstract(type.getModifiers()))
                .findFirst()
                .map(CustomTimeoutException::new)
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
        RuntimeException own;
        try {
            own = (RuntimeException) BeanUtils.instantiateClass(constructor, arguments);
        } catch (BeanInstantiationException e) {
            Throwable thrown = Objects.requireNonNull(e.getCause());
            thrown.addSuppressed(timeout);
            throw thrown;
        }
        if (own.getCause() == null) {
            try {
                own.initCause(timeout);
            } catch (IllegalStateException itSaysItHasNone) {
                own.addSuppressed(timeout);
            }
        }
        throw own;
    }
}
