package io.dynamolock.internal.protocol;

import io.dynamolock.data.LockData;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The item of one lock in the table.
 *
 * <p><b>Who holds the lock.</b> The first entries of the queue hold it ({@link #holders()} says how many): the very
 * first, and the entries behind it as far as each is {@linkplain Entry#isCompatibleWith compatible} with the very
 * first. Shared entries hold the lock together, and so do exclusive entries of one session. Permits hold it together up
 * to the number of permits.
 *
 * <p>Each slot of an entry that holds the lock can serve one caller of the entry's process. While its session is valid,
 * the process grants the lock to its callers in the order in which they came; if the mode is exclusive, to one at a
 * time. A kept entry holds the lock but serves no caller: it keeps others out until its time.
 *
 * <p>An old state of the item is proof enough, because no entry is ever inserted ahead of another. An entry seen
 * holding the lock still holds it until it is taken out, unless
 *
 * <ul>
 *   <li>an exclusive entry of the same session ahead of it was reissued as a shared or kept entry, or
 *   <li>an operator has lowered the number of permits.
 * </ul>
 *
 * @param tail at least the last ticket. Every write raises it, so it also tells the age of a state: of two states of
 *     the item, the newer one has the greater tail. 0 if there is no item
 * @param queue the entries in the order in which the store applied their appends. The first {@link #holders()} entries
 *     hold the lock
 * @param permits maximum number of entries that hold permits at the same time; 0 if nobody has asked for a permit yet
 * @param data the data that users store with the lock
 * @param expiresAt from when on the store may remove the item; {@code null} if it may not, or if that is not known
 */
public record LockItem(
        long tail,
        List<Entry> queue,
        int permits,
        LockData data,
        @Nullable Instant expiresAt) {

    /** A lock without an item. */
    public static final LockItem ABSENT = new LockItem(0, List.of(), 0, LockData.EMPTY);

    public LockItem {
        queue = Queue.of(queue);
    }

    /** An item that the store may not remove. */
    public LockItem(long tail, List<Entry> queue, int permits, LockData data) {
        this(tail, queue, permits, data, null);
    }

    /** Whether there is an item. */
    public boolean exists() {
        return tail != 0;
    }

    /** Number of entries that hold the lock, counted from the front. */
    public int holders() {
        int compatible = Queue.of(queue).compatible();
        return compatible > 0 && queue.get(0).mode() == Mode.PERMIT
                ? Math.min(compatible, Math.max(1, permits))
                : compatible;
    }

    /** The place of the entry in the queue; -1 if it is not in the queue. */
    public int indexOf(Entry entry) {
        return queue.indexOf(entry);
    }

    /** The place of each entry in the queue; the first place of an entry that stands there more than once. */
    public Map<Entry, Integer> places() {
        Map<Entry, Integer> places = new HashMap<>();
        for (int i = 0; i < queue.size(); i++) {
            places.putIfAbsent(queue.get(i), i);
        }
        return places;
    }

    /** The place of the entry with this {@linkplain Entry#id() id}; -1 if it is not in the queue. */
    public int indexOf(String id) {
        return queue.stream().map(Entry::id).toList().indexOf(id);
    }

    /** The entry at the front; {@code null} if the queue is empty. */
    public @Nullable Entry first() {
        return queue.isEmpty() ? null : queue.get(0);
    }

    /**
     * Whether the number of permits is set and differs from the number that a caller wants.
     *
     * @param wanted 0 if the caller wants no permit
     */
    public boolean hasOtherPermitsThan(int wanted) {
        return wanted > 0 && permits > 0 && permits != wanted;
    }

    /**
     * The last ticket of the entry at this place: the tail minus the number of slots behind the entry. It never falls,
     * whatever is taken out or appended, and it is greater than every ticket of an entry that held the lock earlier. So
     * a process can read the ticket from any state of the item in which the entry holds the lock, even if it lost the
     * answers before. Entries that hold the lock together may have the same tickets.
     */
    public long lastTicket(int index) {
        return tail - (slotsBefore(queue.size()) - slotsBefore(index + 1));
    }

    /** Number of slots of all entries before this place. */
    public int slotsBefore(int index) {
        return Queue.of(queue).slotsBefore(index);
    }
}
