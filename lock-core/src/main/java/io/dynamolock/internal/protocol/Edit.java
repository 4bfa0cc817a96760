package io.dynamolock.internal.protocol;

import io.dynamolock.data.LockData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The one kind of write of a lock's item. In one conditional write it takes entries out of the queue, reissues one and
 * appends others. The answer contains the whole item, also if the write is refused. Places in the queue are counted
 * from 0, as they were before the edit.
 *
 * @param removed entries to take out, by place: own entries that have served their callers, that nobody wants any more,
 *     or that the session does not know (orphans); entries of dead sessions; and kept entries whose time has passed
 * @param reissue replacement of an own entry by one with a new number, which may have another mode or fewer slots, or
 *     by a kept entry; {@code null} for none
 * @param appended entries to put at the end of the queue
 * @param bound maximum number of entries in the queue after an append, with the removed entries already subtracted
 * @param permits number of permits that the lock must have if the appended entries are permits; the first such append
 *     sets it. 0 if no permit is appended
 * @param mustExist whether the edit is refused if there is no item. True if the edit was derived from an item that was
 *     read, or if the caller does not want a new lock to be created
 * @param data new user data; {@code null} to leave the data as it is
 * @param newPermits number of permits that the lock has from now on, as set by an operator; 0 to leave it as it is
 * @param base the tail that a new item starts from
 * @param expiresAt from when on the store may remove the item, in whole seconds ({@link Expiry#toWrite}); {@code null}
 *     to leave that as it is. The store then gives a time of its own to an item that has none
 */
public record Edit(
        NavigableMap<Integer, Entry> removed,
        @Nullable Reissue reissue,
        List<Entry> appended,
        int bound,
        int permits,
        boolean mustExist,
        @Nullable LockData data,
        int newPermits,
        long base,
        @Nullable Instant expiresAt) {

    /** Maximum number of entries that one edit takes out: DynamoDB limits the size of an expression. */
    public static final int MOST_REMOVED = 100;

    /**
     * Puts one entry in the place of another.
     *
     * @param index the place in the queue
     * @param from the entry that must stand there
     * @param to the entry that replaces it
     */
    public record Reissue(int index, Entry from, Entry to) {}

    public Edit {
        removed = new TreeMap<>(removed);
        appended = List.copyOf(appended);
        if (removed.size() > MOST_REMOVED
                || reissue != null && removed.containsKey(reissue.index())
                || !appended.isEmpty() && bound < appended.size()) {
            throw new IllegalArgumentException("an edit that takes out " + removed + ", reissues " + reissue
                    + " and appends " + appended.size() + " of at most " + bound);
        }
    }

    /** An edit that leaves it as it is when the store may remove the item. */
    public Edit(
            NavigableMap<Integer, Entry> removed,
            @Nullable Reissue reissue,
            List<Entry> appended,
            int bound,
            int permits,
            boolean mustExist,
            @Nullable LockData data,
            int newPermits,
            long base) {
        this(removed, reissue, appended, bound, permits, mustExist, data, newPermits, base, null);
    }

    /** The number of tickets that the edit takes, which is how much it raises the tail: at least 1. */
    public int tickets() {
        return Math.max(1, appended.stream().mapToInt(Entry::slots).sum());
    }

    /**
     * Whether the edit brings callers into the queue or changes what the lock is. Such an edit is refused if the item
     * has a format that this version does not know. All other edits only take out or replace what stands there.
     */
    public boolean enters() {
        return !appended.isEmpty() || newPermits > 0;
    }

    /**
     * An append is allowed only if the queue, before the edit, is at most this long: so the place with this index must
     * be free.
     */
    public int firstFreeIndex() {
        return bound - appended.size() + removed.size();
    }

    /** The effect of the edit on an item: what the store answers if this item is there. */
    public Answer<LockItem> on(LockItem item) {
        if (!allows(item)) {
            return new Answer<>(item, false);
        }
        List<Entry> queue = new ArrayList<>(item.queue());
        if (reissue != null) {
            queue.set(reissue.index(), reissue.to());
        }
        removed.descendingKeySet().forEach(index -> queue.remove(index.intValue()));
        queue.addAll(appended);
        long tailBefore = item.exists() ? item.tail() : base;
        LockData dataAfter = data == null ? item.data() : data;
        Instant expiresAfter = expiresAt == null ? item.expiresAt() : expiresAt;
        return new Answer<>(
                new LockItem(tailBefore + tickets(), queue, permitsAfter(item), dataAfter, expiresAfter), true);
    }

    private int permitsAfter(LockItem item) {
        if (newPermits > 0) {
            return newPermits;
        }
        return permits > 0 ? permits : item.permits();
    }

    private boolean allows(LockItem item) {
        return (item.exists() || !mustExist)
                && removed.entrySet().stream().allMatch(place -> stands(item, place.getKey(), place.getValue()))
                && (reissue == null || stands(item, reissue.index(), reissue.from()))
                && (appended.isEmpty() || item.queue().size() <= firstFreeIndex())
                && (permits == 0 || item.permits() == 0 || item.permits() == permits);
    }

    private static boolean stands(LockItem item, int index, Entry entry) {
        return index < item.queue().size() && item.queue().get(index).equals(entry);
    }
}
