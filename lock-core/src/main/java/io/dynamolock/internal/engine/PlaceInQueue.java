package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import java.util.List;

/**
 * Where this process stands in a lock's queue, and who is in its way. Answers follow what is known of the item at the
 * time of the question. Lives on the event loop.
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

    /** Where the first own entry stands; behind all if none does. */
    int first() {
        return own.firstIn(known.item(), 0);
    }

    /** Whether an own entry holds the lock. */
    boolean isTurn() {
        return first() < known.item().holders();
    }

    /**
     * Whether waiters here could have the lock beside those of this process who have it, if others were out of their
     * way.
     */
    boolean isTurnBesideOthers() {
        if (!isTurn()) {
            return false;
        }
        Mode mode = known.item().queue().get(0).mode();
        return mode != Mode.EXCLUSIVE && line.wants(mode);
    }

    /**
     * The entries before this process's first. In a turn beside others: the entries before its first one that waits, so
     * that own entries which hold the lock are among them.
     */
    List<Entry> ahead() {
        LockItem item = known.item();
        int from = isTurnBesideOthers() ? item.holders() : 0;
        return item.queue().subList(0, own.firstIn(item, from));
    }
}
