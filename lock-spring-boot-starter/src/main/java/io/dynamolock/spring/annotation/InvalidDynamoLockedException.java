package io.dynamolock.spring.annotation;

import org.jspecify.annotations.Nullable;

/**
 * A {@link DynamoLocked} annotation cannot work as it is written. Thrown when the bean is created, which stops the
 * start; for a woven class that is no bean, and with {@link io.dynamolock.spring.woven.WovenLocks#use}, at the first
 * call of the method.
 */
public final class InvalidDynamoLockedException extends InvalidAnnotationException {

    private static final long serialVersionUID = 1L;

    /** @param method which method has the annotation */
    public InvalidDynamoLockedException(String method, String problem, String remedy) {
        this(method, problem, remedy, null);
    }

    /** @param method which method has the annotation */
    public InvalidDynamoLockedException(String method, String problem, String remedy, @Nullable Throwable cause) {
        super("@DynamoLocked on " + method + ": " + problem, remedy, cause);
    }
}
