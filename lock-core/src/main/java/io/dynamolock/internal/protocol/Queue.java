package io.dynamolock.internal.protocol;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * The queue of a {@link LockItem}. What every step of a lock asks for is computed once, since a queue may have hundreds
 * of entries, and hundreds of thousands of callers may each take a step. Immutable, thread-safe.
 */
final class Queue extends AbstractList<Entry> implements RandomAccess {

    private final List<Entry> entries;

    /** How many entries at the front are compatible with the very first, which is among them. */
    private final int compatible;

    /** The number of slots of all entries before each place; at last, of all entries. */
    private final int[] slotsBefore;

    private Queue(List<Entry> entries) {
        this.entries = List.copyOf(entries);
        this.compatible = compatible(this.entries);
        this.slotsBefore = slotsBefore(this.entries);
    }

    static Queue of(List<Entry> entries) {
        return entries instanceof Queue queue ? queue : new Queue(entries);
    }

    private static int compatible(List<Entry> entries) {
        int count = 0;
        while (count < entries.size() && (count == 0 || entries.get(count).isCompatibleWith(entries.get(0)))) {
            count++;
        }
        return count;
    }

    private static int[] slotsBefore(List<Entry> entries) {
        int[] sums = new int[entries.size() + 1];
        for (int i = 0; i < entries.size(); i++) {
            sums[i + 1] = sums[i] + entries.get(i).slots();
        }
        return sums;
    }

    /** How many entries at the front are compatible with the very first; with permits, the lock may have fewer. */
    int compatible() {
        return compatible;
    }

    /** Number of slots of all entries before this place. */
    int slotsBefore(int index) {
        return slotsBefore[index];
    }

    @Override
    public Entry get(int index) {
        return entries.get(index);
    }

    @Override
    public int size() {
        return entries.size();
    }
}
