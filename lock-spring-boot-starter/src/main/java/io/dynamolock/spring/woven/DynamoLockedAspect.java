package io.dynamolock.spring.woven;

import io.dynamolock.spring.annotation.DynamoLocked;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;

/**
 * Locks methods with {@link DynamoLocked} in classes that AspectJ weaves with this aspect, at compile time or load
 * time. Works for private and static methods, for calls within the same object, and for classes outside Spring. {@link
 * WovenLocks} sets the registry. Not for Spring's proxies, which need no AspectJ. Thread-safe.
 */
@Aspect
public final class DynamoLockedAspect {

    private static final DynamoLockedAspect INSTANCE = new DynamoLockedAspect();

    private DynamoLockedAspect() {}

    /** Called by woven code. AspectJ's own compiler would add this method, but does not compile this class. */
    public static DynamoLockedAspect aspectOf() {
        return INSTANCE;
    }

    /** Called by woven code. */
    public static boolean hasAspect() {
        return true;
    }

    /**
     * Runs the method under its locks.
     *
     * @throws IllegalStateException if {@link WovenLocks} has no registry; the method is not entered
     */
    @Around("execution(@io.dynamolock.spring.annotation.DynamoLocked * *(..))"
            + " || execution(@io.dynamolock.spring.annotation.DynamoLocked.Several * *(..))"
            + " || execution(@(@io.dynamolock.spring.annotation.DynamoLocked *) * *(..))"
            + " || execution(@(@io.dynamolock.spring.annotation.DynamoLocked.Several *) * *(..))"
            + " || execution(public !static * (@io.dynamolock.spring.annotation.DynamoLocked *).*(..))"
            + " || execution(public !static * (@io.dynamolock.spring.annotation.DynamoLocked.Several *).*(..))"
            + " || execution(public !static * (@(@io.dynamolock.spring.annotation.DynamoLocked *) *).*(..))"
            + " || execution(public !static * (@(@io.dynamolock.spring.annotation.DynamoLocked.Several *) *).*(..))")
    public @Nullable Object lock(ProceedingJoinPoint call) throws Throwable {
        return WovenLocks.invoke(new WovenInvocation(call));
    }
}
