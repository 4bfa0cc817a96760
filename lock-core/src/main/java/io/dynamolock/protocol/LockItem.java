package io.dynamolock.protocol;

import io.dynamolock.data.LockData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One lock as the table has it.
 *
 * @param tail the last ticket issued; 0 if the item does not exist
 * @param queue the blocks in the order in which they asked; the first holds the lock, and perhaps others with it, see
 *     {@link #holders()}
 * @param permits how many blocks may hold permits of the lock together; 0 if nobody has asked for a permit yet
 * @param data the user's
 * @param puts how often the data was written since the item exists
 */
public record LockItem(long tail, List<Entry> queue, int permits, LockData data, long puts) {

    /** So many blocks stand in a queue at the most, whatever the settings of its processes. */
    public static final int MOST_BLOCKS = 1_000;

    /** A lock whose item does not exist. */
    public static final LockItem ABSENT = new LockItem(0, List.of());

    public LockItem {
        queue = List.copyOf(queue);
    }

    /** A lock of which nobody has asked for permits, and nobody ever wrote data. */
    public LockItem(long tail, List<Entry> queue) {
        this(tail, queue, 0, LockData.EMPTY, 0);
    }

    /** A lock of which nobody ever wrote data. */
    public LockItem(long tail, List<Entry> queue, int permits) {
        this(tail, queue, permits, LockData.EMPTY, 0);
    }

    /** With the same permits and data. */
    LockItem with(long otherTail, List<Entry> otherQueue) {
        return new LockItem(otherTail, otherQueue, permits, data, puts);
    }

    /** Whether there is an item with a queue: it has issued tickets. */
    public boolean exists() {
        return tail != 0;
    }

    /**
     * How many blocks hold the lock, from the front, if their sessions live: the first; with one that is shared, all shared
     * ones up to the first other; with one that has a permit, all such ones up to the first other, but not more than there
     * are permits. As blocks ahead only ever go, a block that holds the lock goes on holding it.
     */
    public int holders() {
        if (queue.isEmpty() || !queue.get(0).mode().isJoint()) {
            return queue.isEmpty() ? 0 : 1;
        }
        Mode mode = queue.get(0).mode();
        int most = mode.equals(Mode.PERMIT) ? Math.max(1, permits) : queue.size();
        return (int) queue.stream()
                .takeWhile(entry -> entry.mode().equals(mode))
                .limit(most)
                .count();
    }

    /** Whether the block that stands there holds the lock. */
    public boolean holds(int index) {
        return index < holders();
    }

    /** Who holds the lock if its session lives, alone or before others; {@code null} if nobody does. */
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
     * before it. So the tickets of a block are read off an item that shows it holding, whatever answers were lost. Those of
     * blocks that hold the lock together may be the same.
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
