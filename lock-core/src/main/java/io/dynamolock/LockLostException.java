package io.dynamolock;

import io.dynamolock.internal.Internals;
import org.jspecify.annotations.Nullable;

/**
 * The caller no longer holds the lock: no heartbeat of its process succeeded for a lease, the wall clock of its machine
 * was set or is wrong, {@link LockRequest#maxHold} is over, an operator {@linkplain LockAdmin#evict evicted} the
 * caller, the lock's item was changed or deleted by hand, or the registry was closed or paused. Another caller may hold
 * the lock by now, and the work of the two may have overlapped, unless it was fenced: by {@link FencedWrites}, or by
 * {@link #fencingToken()}.
 */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    private final long fencingToken;

    /**
     * @param handle the handle that held the lock
     * @param whatHappened the rest of a sentence with the lock as its subject
     * @param cause what told of the loss, if anything did
     */
    public LockLostException(LockHandle handle, String whatHappened, @Nullable Throwable cause) {
        super(
                handle.key(),
                handle.namespace(),
                "The " + Internals.describe(handle) + " (fencing token " + handle.fencingToken() + ") " + whatHappened,
                cause);
        this.fencingToken = handle.fencingToken();
    }

    /** The fencing token of the grant that was lost. */
    public long fencingToken() {
        return fencingToken;
    }
}
