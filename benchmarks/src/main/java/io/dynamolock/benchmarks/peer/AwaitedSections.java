package io.dynamolock.benchmarks.peer;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockedAction;
import org.jspecify.annotations.Nullable;

/** Sections whose callers wait until the release is written, as with {@code await-release}. */
public final class AwaitedSections {

    private AwaitedSections() {}

    /** As {@link LockRegistry#withLock(LockRequest, LockedAction)}, with an awaited release. */
    public static <T extends @Nullable Object, E extends Exception> T run(
            LockRegistry locks, LockRequest request, LockedAction<T, E> action) throws E {
        // An explicit release is awaited in any case. LockRequest.awaitRelease(true) will say the same in one line:
        // return locks.withLock(request.awaitRelease(true), action);
        try (LockHandle lock = locks.acquire(request)) {
            T result = action.run(lock);
            if (!lock.release()) {
                throw new LockLostException(lock, "was lost before its release", null);
            }
            return result;
        }
    }
}
