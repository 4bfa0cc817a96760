package io.dynamolock.internal.protocol;

import io.dynamolock.data.LockData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One lock as the table has it.
 *
 * @param tail not less than the last ticket, and the item's clock: every write raises it, so of two states of an item the one with the
 *     greater tail is the newer one; 0 if there is no item
 * @param queue the entries in the order in which the store applied them; those at the front hold the lock, see {@link #holders()}
 * @param permits how many entries may hold permits of the lock together; 0 if nobody has asked for a permit yet
 * @param data the user's
 */
public record LockItem(long tail, List<Entry> queue, int permits, LockData data) {

    /** A lock without an item. */
    public static final LockItem ABSENT = new LockItem(0, List.of(), 0, LockData.EMPTY);

    public LockItem {
        queue = List.copyOf(queue);
    }

    public boolean exists() {
        return tail != 0;
    }

    /**
     * How many entries hold the lock, from the front: each that is compatible with all before it, which is to say with the first ({@link
     * Entry#isCompatibleWith}: shared ones with each other, exclusive ones of one session), and of permits no more than the lock has.
     * Entries ahead are only ever taken out, so an entry that an item shows holding holds until it is taken out itself, however old the
     * item is; but not behind one of its own session that has become shared or kept since, nor if an operator has lowered the permits. Each
     * slot can serve one caller, whom the process grants the lock while its session is valid; of exclusive entries that hold it together
     * one caller at a time. A kept entry holds it for nobody.
     */
    public int holders() {
        if (queue.isEmpty()) {
            return 0;
        }
        int holders = 1;
        while (holders < queue.size() && queue.get(holders).isCompatibleWith(queue.get(0))) {
            holders++;
        }
        return queue.get(0).mode() == Mode.PERMIT ? Math.min(holders, Math.max(1, permits)) : holders;
    }

    /** Where the entry stands; -1 if it does not. */
    public int indexOf(Entry entry) {
        return queue.indexOf(entry);
    }

    /** Where the entry with this {@linkplain Entry#id() id} stands; -1 if it does not. */
    public int indexOf(String id) {
        return queue.stream().map(Entry::id).toList().indexOf(id);
    }

    /** The entry at the front; {@code null} of an empty queue. */
    public @Nullable Entry first() {
        return queue.isEmpty() ? null : queue.get(0);
    }

    /** Whether the lock has another number of permits than this; 0 is none that anybody asks for. */
    public boolean hasOtherPermitsThan(int wanted) {
        return wanted > 0 && permits > 0 && permits != wanted;
    }

    /**
     * The last ticket of the entry there: the tail less the slots behind it. It never falls, whatever is taken out or appended, and
     * it is greater than any ticket of an entry that held the lock before. So tickets are read off any item that shows the entry
     * holding, whatever answers were lost. Those of entries that hold the lock together may be the same.
     */
    public long lastTicket(int index) {
        return tail - slots(index + 1, queue.size());
    }

    /** How many slots stand before this place. */
    public int slotsBefore(int index) {
        return slots(0, index);
    }

    private int slots(int from, int to) {
        return queue.subList(from, to).stream().mapToInt(Entry::slots).sum();
    }
}
