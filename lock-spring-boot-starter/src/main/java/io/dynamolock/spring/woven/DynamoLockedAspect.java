package io.dynamolock.spring.woven;

import io.dynamolock.spring.annotation.DynamoLocked;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;

/**
 * Locks the methods with {@link DynamoLocked} of classes that AspectJ weaves with it, at compile time or at load time:
 * also private and static methods, calls within the same object, and classes that Spring does not know. Their locks are
 * those of {@link WovenLocks}. Not for Spring's proxies, which need no AspectJ. Thread-safe.
 */
@Aspect
public final class DynamoLockedAspect {

    private static final DynamoLockedAspect INSTANCE = new DynamoLockedAspect();

    private DynamoLockedAspect() {}

    /** For woven code. AspectJ's own compiler would add it, but does not compile this class. */
    public static DynamoLockedAspect aspectOf() {
        return INSTANCE;
    }

    /** For woven code: always. */
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
