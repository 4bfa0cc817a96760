package io.dynamolock.spring.aspect;

import io.dynamolock.LockHandle;
import io.dynamolock.LockTimeoutException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What became of a wait for locks.
 *
 * @param handles in the order in which they are wanted; none after a timeout
 */
record Acquired(List<LockHandle> handles, @Nullable Timeout timeout) {

    /**
     * Of a wait that blocks nobody.
     *
     * @throws CompletionException with whatever else went wrong
     */
    static Acquired of(List<WantedLock> missing, @Nullable List<LockHandle> handles, @Nullable Throwable failure) {
        if (handles != null) {
            return new Acquired(handles, null);
        }
        Throwable cause = LockedCall.cause(Objects.requireNonNull(failure));
        if (cause instanceof LockTimeoutException timeout) {
            return new Acquired(List.of(), LockedCall.timeout(missing, timeout));
        }
        throw new CompletionException(cause);
    }
}
