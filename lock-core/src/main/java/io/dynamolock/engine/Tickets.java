package io.dynamolock.engine;

import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import java.util.Collection;

/** The tickets of a block that holds the lock: those of its callers, in their order. Lives on the event loop. */
final class Tickets {

    private long first;
    private int counted;

    /**
     * The block has got the lock.
     *
     * @param last the ticket of its last caller
     * @param shown how many callers it has in the item that shows it holding, which may be older than the last one
     */
    void begin(Collection<Caller> callers, long last, int shown) {
        counted = shown;
        first = last - shown + 1;
        number(callers, first);
    }

    /** The block of that id holds the lock, and has grown by these. */
    void grownBy(Collection<Caller> newcomers, Step.Grow growth, LockItem item, BlockId id) {
        int before = growth.entry().callers();
        // What landed before the block was first is in the tickets that it had then, and may be answered later.
        boolean wasNumbered = before + growth.by() <= counted;
        number(newcomers, wasNumbered ? first + before : item.lastTicket(item.indexOf(id)) - growth.by() + 1);
    }

    /** The block has a new number: nothing that is still to be answered is in the tickets that it had when it was first. */
    void end() {
        counted = 0;
    }

    private static void number(Collection<Caller> callers, long first) {
        long ticket = first;
        for (Caller caller : callers) {
            caller.numbered(ticket++);
        }
    }
}
