package io.dynamolock;

import java.util.concurrent.Callable;

/** What runs while a handle is held, and how its end tells of a loss. */
final class LockedSection {

    private LockedSection() {}

    static <T> T run(LockHandle handle, Callable<T> action) throws Exception {
        T result;
        try {
            result = action.call();
        } catch (Throwable failure) {
            if (!handle.release()) {
                failure.addSuppressed(lostWhileActionRan(handle));
            }
            throw failure;
        }
        if (!handle.release()) {
            throw lostWhileActionRan(handle);
        }
        return result;
    }

    static void run(LockHandle handle, Runnable action) {
        Callable<Boolean> callable = () -> {
            action.run();
            return true;
        };
        try {
            run(handle, callable);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a Runnable throws no checked exception", e);
        }
    }

    private static LockLostException lostWhileActionRan(LockHandle handle) {
        return new LockLostException(
                handle.key(),
                handle.namespace(),
                handle.fencingToken(),
                "was lost while the action ran" + Losses.because(handle)
                        + ". Another caller may have held it at the same time.");
    }
}
