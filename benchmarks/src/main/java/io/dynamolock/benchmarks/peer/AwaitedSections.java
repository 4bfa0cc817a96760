package io.dynamolock.benchmarks.peer;

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
        return locks.withLock(request.awaitRelease(true), action);
    }
}
