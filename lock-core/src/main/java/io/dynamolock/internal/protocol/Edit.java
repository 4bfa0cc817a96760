package io.dynamolock.internal.protocol;

import io.dynamolock.data.LockData;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The one kind of write of a lock's item: takes entries out, reissues one, appends some, in one conditional write that answers with
 * the whole item, also when it is refused. Places are those before the edit.
 *
 * @param removed what is taken out, by place: own entries that are finished, given up or unknown (orphans), those of the dead, kept ones
 *     that are over
 * @param reissue which own entry gets a new number, perhaps with another mode or fewer slots, or becomes a kept one, if any does
 * @param appended what is put at the end
 * @param bound how many entries the queue may have after an append, removals counted
 * @param permits how many permits the lock is expected to have if the appended entries are permits, which the first such append
 *     settles; else 0
 * @param mustExist whether there must be an item: whenever the edit was made from a seen one, and for those who want no new lock
 * @param data what the user's data becomes; {@code null} to leave it as it is
 * @param newPermits how many permits the lock has from now on, for all, as an operator wants it; 0 to leave that as it is
 * @param base what the tail of a new item starts from
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
        long base) {

    /** How many entries one edit takes out at most: an expression may not contain much more. */
    public static final int MOST_REMOVED = 100;

    /** Puts an entry in the place of another. */
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

    /** By how much it raises the tail. */
    public int tickets() {
        return Math.max(1, appended.stream().mapToInt(Entry::slots).sum());
    }

    /** The condition of an append: there is no entry at this place, counted before the edit. */
    public int firstFreeIndex() {
        return bound - appended.size() + removed.size();
    }

    /** What the edit does to this item. */
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
        LockItem after = new LockItem(
                (item.exists() ? item.tail() : base) + tickets(),
                queue,
                newPermits > 0 ? newPermits : permits > 0 ? permits : item.permits(),
                data == null ? item.data() : data);
        return new Answer<>(after, true);
    }

    private boolean allows(LockItem item) {
        return (item.exists() || !mustExist)
                && removed.entrySet().stream().allMatch(each -> stands(item, each.getKey(), each.getValue()))
                && (reissue == null || stands(item, reissue.index(), reissue.from()))
                && (appended.isEmpty() || item.queue().size() <= firstFreeIndex())
                && (permits == 0 || item.permits() == 0 || item.permits() == permits);
    }

    private static boolean stands(LockItem item, int index, Entry entry) {
        return index < item.queue().size() && item.queue().get(index).equals(entry);
    }
}
