package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * What runs while a lock is held.
 *
 * @param <T> what it returns
 * @param <E> what it throws; {@link RuntimeException} if nothing that must be declared
 */
@FunctionalInterface
public interface LockedAction<T extends @Nullable Object, E extends Exception> {

    /** @param lock the lock that is held; it is released after the action, and releasing it earlier is allowed */
    T run(LockHandle lock) throws E;
}
