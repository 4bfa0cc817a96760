package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;

/** One caller's possession of a lock, from its grant to its release or loss. Lives on the event loop. */
final class Hold {

    private final AcquireSpec spec;
    private final OwnEntry entry;
    private final long ticket;
    private final LockData data;
    private final long grantedNanos;

    /** Set by its holder's thread. */
    private volatile boolean fenceGiven;

    /**
     * @param ticket greater than that of every earlier grant of the lock, unless both hold it beside each other
     * @param data the user's data as the holder found it
     */
    Hold(AcquireSpec spec, OwnEntry entry, long ticket, LockData data, long grantedNanos) {
        this.spec = spec;
        this.entry = entry;
        this.ticket = ticket;
        this.data = data;
        this.grantedNanos = grantedNanos;
    }

    AcquireSpec spec() {
        return spec;
    }

    OwnEntry entry() {
        return entry;
    }

    long ticket() {
        return ticket;
    }

    LockData data() {
        return data;
    }

    long grantedNanos() {
        return grantedNanos;
    }

    /** Its holder has the condition that makes transactions safe. */
    void giveFence() {
        fenceGiven = true;
    }

    boolean isFenceGiven() {
        return fenceGiven;
    }

    @Override
    public String toString() {
        return ticket + " by " + entry;
    }
}
