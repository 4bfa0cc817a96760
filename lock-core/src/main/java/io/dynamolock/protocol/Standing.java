package io.dynamolock.protocol;

/** What a lock's item means for a block that has asked. */
public sealed interface Standing {

    /**
     * It holds the lock, however old the item is: nobody takes a living block out but its own process, and those ahead of
     * it only ever go.
     *
     * @param lastTicket the last of its tickets
     * @param callers how many tickets it has
     */
    record Holds(long lastTicket, int callers) implements Standing {}

    /** It waits behind so many blocks. */
    record Waiting(int place) implements Standing {}

    /** It was taken out, or the item was removed. */
    record Gone() implements Standing {}

    /** It is not in an item that may be older than its ask: that says nothing. */
    record Unknown() implements Standing {}

    /**
     * @param issued the last ticket issued when the block's ask was answered
     * @param isFresh whether the item shows all that was written before the block's ask was answered
     */
    static Standing of(BlockId block, LockItem item, long issued, boolean isFresh) {
        int index = item.indexOf(block);
        if (index >= 0 && item.holds(index)) {
            return new Holds(item.lastTicket(index), item.queue().get(index).callers());
        }
        if (index >= 0) {
            return new Waiting(index);
        }
        return isFresh || item.tail() >= issued ? new Gone() : new Unknown();
    }
}
