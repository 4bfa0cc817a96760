package io.dynamolock;

import io.dynamolock.internal.protocol.LockKey;

/**
 * The lock has another number of permits than the caller takes it to have: processes disagree about how many there are.
 * Nothing is held. {@link LockRegistry#setPermits} changes the number for all.
 */
public final class LockPermitsException extends LockException {

    private static final long serialVersionUID = 1L;

    private final int asked;
    private final int stored;

    LockPermitsException(LockKey lock, int asked, int stored) {
        super(
                lock,
                "A permit was wanted of " + asked + ", but the " + LockNames.describe(lock) + " has " + stored
                        + ". Use the same number everywhere, or change it for all with setPermits.",
                null);
        this.asked = asked;
        this.stored = stored;
    }

    /** The number of permits that the caller said. */
    public int asked() {
        return asked;
    }

    /** The number of permits that the table says. */
    public int stored() {
        return stored;
    }
}
