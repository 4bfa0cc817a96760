package io.dynamolock.internal.handles;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockedAction;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action under a handle, releases the handle, and tells of a loss that is known by then. {@link
 * GrantHandle#endSection()} says when the release is awaited.
 */
public final class LockedSection {

    private LockedSection() {}

    public static <T extends @Nullable Object, E extends Exception> T run(LockHandle handle, LockedAction<T, E> action)
            throws E {
        T result;
        try {
            result = action.run(handle);
        } catch (Throwable failure) {
            if (!end(handle)) {
                failure.addSuppressed(lostWhileActionRan(handle));
            }
            throw failure;
        }
        if (!end(handle)) {
            throw lostWhileActionRan(handle);
        }
        return result;
    }

    public static void run(LockHandle handle, Runnable action) {
        LockedSection.<Boolean, RuntimeException>run(handle, lock -> {
            action.run();
            return true;
        });
    }

    /** Handles of other implementations than this library's are released, and waited for. */
    private static boolean end(LockHandle handle) {
        return handle instanceof GrantHandle granted ? granted.endSection() : handle.release();
    }

    private static LockLostException lostWhileActionRan(LockHandle handle) {
        return new LockLostException(
                handle,
                "was lost while the action ran" + GrantHandle.because(handle)
                        + ". Another caller may have held it at the same time.",
                null);
    }
}
