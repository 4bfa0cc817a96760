package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * What runs while a lock is held.
 *
 * @param <T> what the action returns
 * @param <E> the checked exception that the action throws; {@link RuntimeException} if it throws none
 */
@FunctionalInterface
public interface LockedAction<T extends @Nullable Object, E extends Exception> {

    /** @param lock the handle of the lock, which is released after the action. The action may release it earlier */
    T run(LockHandle lock) throws E;
}
