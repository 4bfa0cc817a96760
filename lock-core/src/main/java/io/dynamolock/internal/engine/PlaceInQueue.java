package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import java.util.List;

/**
 * Where this process stands in a lock's queue, and who is ahead. Each answer follows from what is known of the item
 * when it is asked. Lives on the event loop.
 */
final class PlaceInQueue {

    private final KnownItem known;
    private final OwnEntries own;
    private final WaitingLine line;

    PlaceInQueue(KnownItem known, OwnEntries own, WaitingLine line) {
        this.known = known;
        this.own = own;
        this.line = line;
    }

    /** The index of the first own entry; the length of the queue if there is none. */
    int indexOfFirstOwn() {
        return own.firstIn(known.item(), 0);
    }

    /** Whether an own entry holds the lock. */
    boolean isTurn() {
        return indexOfFirstOwn() < known.item().holders();
    }

    /**
     * Whether this process has its turn as a reader or with permits, and callers here wait to hold the lock beside it.
     * They may have entries of other processes ahead.
     */
    boolean isTurnBesideOthers() {
        if (!isTurn()) {
            return false;
        }
        Mode mode = known.item().queue().get(0).mode();
        return mode != Mode.EXCLUSIVE && line.wants(mode);
    }

    /**
     * The entries ahead of this process's first entry. In a {@linkplain #isTurnBesideOthers() turn beside others}, the
     * entries ahead of its first waiting entry: then own entries that hold the lock are among them.
     */
    List<Entry> ahead() {
        LockItem item = known.item();
        int from = isTurnBesideOthers() ? item.holders() : 0;
        return item.queue().subList(0, own.firstIn(item, from));
    }
}
