package io.dynamolock;

import io.dynamolock.internal.protocol.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * The caller does not hold the lock any more: its process sent no heartbeat for a lease, {@link LockRequest#maxHold} is
 * over, an operator {@linkplain LockRegistry#evict evicted} it, the lock's item was changed or deleted by hand, or the
 * registry was closed or paused. Another caller may hold the lock by now, and what was done under it may have overlapped with what
 * that caller did, unless it was fenced: by {@link FencedWrites}, or by {@link #fencingToken()}.
 */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    private final long fencingToken;

    LockLostException(LockHandle handle, String whatHappened, @Nullable Throwable cause) {
        this(new LockKey(handle.key(), handle.namespace()), handle.fencingToken(), whatHappened, cause);
    }

    private LockLostException(LockKey lock, long fencingToken, String whatHappened, @Nullable Throwable cause) {
        super(lock, "The " + LockNames.describe(lock) + " (fencing token " + fencingToken + ") " + whatHappened, cause);
        this.fencingToken = fencingToken;
    }

    /** The fencing token of the grant that was lost. */
    public long fencingToken() {
        return fencingToken;
    }
}
