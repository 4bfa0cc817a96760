package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One caller's possession of a lock, from its grant to its release or loss. Lives on the event loop. */
final class Hold {

    final AcquireSpec spec;
    final OwnEntry entry;
    final long ticket;
    final LockData data;
    final long grantedNanos;

    /** Whether its holder has the condition that makes transactions safe. Set by its holder's thread. */
    volatile boolean isFenceGiven;

    /** What its holder wants written while it goes on; {@code null} for nothing. */
    @Nullable
    LockData put;

    /** Whether its holder, a writer, has asked to go on as a reader. */
    boolean isTurning;

    /** Whether its holder has released it before the end of its shortest hold. */
    boolean isKept;

    /** What its holder leaves to the next once it has released it; {@code null} for nothing. */
    @Nullable
    LockData left;

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

    /** Those of these holds that are by this entry. */
    static List<Hold> by(OwnEntry entry, Collection<Hold> holds) {
        return holds.stream().filter(hold -> hold.entry == entry).toList();
    }
}
