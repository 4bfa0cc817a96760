package io.dynamolock.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One lock as the table has it.
 *
 * @param tail the last ticket issued; 0 if the item does not exist
 * @param queue the blocks in the order in which they asked; the first holds the lock
 * @param data the user's
 * @param puts how often the data was written since the item exists
 */
public record LockItem(long tail, List<Entry> queue, LockData data, long puts) {

    /** A lock whose item does not exist. */
    public static final LockItem ABSENT = new LockItem(0, List.of());

    public LockItem {
        queue = List.copyOf(queue);
    }

    /** A lock of which nobody ever wrote data. */
    public LockItem(long tail, List<Entry> queue) {
        this(tail, queue, LockData.EMPTY, 0);
    }

    /** With the same data. */
    LockItem with(long otherTail, List<Entry> otherQueue) {
        return new LockItem(otherTail, otherQueue, data, puts);
    }

    /** Whether there is an item: it has issued tickets. */
    public boolean exists() {
        return tail != 0;
    }

    /** Who holds the lock if its session lives; {@code null} if nobody does. */
    public @Nullable Entry first() {
        return queue.isEmpty() ? null : queue.get(0);
    }

    /** Where the block stands, -1 if it does not. */
    public int indexOf(BlockId block) {
        for (int i = 0; i < queue.size(); i++) {
            if (queue.get(i).block().equals(block)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The last ticket of the block that stands there: {@code tail} less the callers behind it. It never falls while the
     * block moves up, even when blocks behind it leave, and each block that is first has greater ones than the first
     * before it. So the tickets of a block are read off an item that shows it first, whatever answers were lost.
     */
    public long lastTicket(int index) {
        return tail - callers(index + 1, queue.size());
    }

    /** How many callers stand before this place, the holder included. */
    public int callersBefore(int index) {
        return callers(0, index);
    }

    private int callers(int from, int to) {
        int callers = 0;
        for (Entry entry : queue.subList(from, to)) {
            callers += entry.callers();
        }
        return callers;
    }
}
