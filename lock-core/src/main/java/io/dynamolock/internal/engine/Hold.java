package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import org.jspecify.annotations.Nullable;

/** One caller's possession of a lock, from its grant to its release or loss. Lives on the event loop. */
final class Hold {

    private final AcquireSpec spec;
    private final OwnEntry entry;
    private final long ticket;
    private final LockData data;
    private final long grantedNanos;

    /** Set by its holder's thread. */
    private volatile boolean fenceGiven;

    private boolean isKept;
    private @Nullable LockData left;
    private @Nullable LockData put;
    private boolean isTurning;

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

    /** Its holder has released it before the end of its shortest hold, and leaves this to the next. */
    void keep(@Nullable LockData data) {
        isKept = true;
        left = data;
    }

    boolean isKept() {
        return isKept;
    }

    @Nullable
    LockData left() {
        return left;
    }

    /** What its holder wants written while it goes on; {@code null} for nothing. */
    @Nullable
    LockData put() {
        return put;
    }

    void put(@Nullable LockData data) {
        put = data;
    }

    /** Whether its holder, a writer, has asked to go on as a reader. */
    boolean isTurning() {
        return isTurning;
    }

    void turn() {
        isTurning = true;
    }
}
