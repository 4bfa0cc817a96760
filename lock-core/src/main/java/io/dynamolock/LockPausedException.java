package io.dynamolock;

import io.dynamolock.internal.protocol.LockKey;

/**
 * The registry is {@linkplain LockRegistry#pause() paused}, and the caller does not wait. It holds nothing, and who holds the
 * lock is not known.
 */
public final class LockPausedException extends LockException {

    private static final long serialVersionUID = 1L;

    LockPausedException(LockKey lock) {
        super(
                lock,
                "The lock registry is paused, so it does not ask for the " + LockNames.describe(lock)
                        + ", and the caller does not wait. Call resume() first, or wait for longer than zero: who waits gets"
                        + " its place in the queue after resume().",
                null);
    }
}
