package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.collection.RecentlyUsed;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this process alone knows of an entry of its own; where the entry stands is in the item. Lives on the event loop.
 *
 * <p>An entry goes from SENT (no item has shown it yet, and its append may still land) over STANDING (an item has shown
 * it) to REMOVING (an edit was sent that takes it out or keeps it for nobody). From then on it serves nobody, since the
 * edit may land at any time.
 */
class OwnEntry {

    /** See the class. */
    enum Stage {
        SENT,
        STANDING,
        REMOVING
    }

    /** How many former numbers are remembered: a process that asks about a number has seen it lately. */
    private static final int MOST_FORMER_NUMBERS = 1_000;

    /**
     * An entry that was sent in the place of another, how many of its slots are used, and the data that went with it.
     */
    private record Reissued(
            Entry.OfSession entry, int used, @Nullable LockData data) {}

    private final Moment sentAt;
    private final long lastArrival;
    private final boolean hasSpare;

    /** The entry as an item has shown it last, or as it was sent if no item has shown it yet. */
    private Entry.OfSession entry;

    /**
     * The reissues that were sent and may still land, in the order of their sending. A reissue is taken out when it is
     * refused; all are when an item shows one of them.
     */
    private final List<Reissued> reissues = new ArrayList<>(0);

    /**
     * The numbers that the entry had while the same callers held the lock by it. Cleared when it is reissued without a
     * holder.
     */
    private final Set<Long> formerNumbers = Collections.newSetFromMap(new RecentlyUsed<>(MOST_FORMER_NUMBERS));

    /** See the class. Never goes back. */
    private Stage stage = Stage.SENT;

    /**
     * When the append has landed if it ever does. Never until the call that appends the entry has been answered, or has
     * failed.
     */
    private Deadline settledAt = Deadline.NEVER;

    /** How many removals were sent and not refused. */
    private int removals;

    /** How many slots are used up. Set anew when an item shows a reissue. */
    private int used;

    /**
     * Whether a fence by this entry was given out, or a caller was forced out of it. Before the next grant the entry is
     * taken out or reissued, and a reissue that an item shows clears the mark.
     */
    private boolean isFenced;

    /**
     * The data that the last holder leaves to the next; {@code null} for none. Cleared when an item shows the reissue
     * that wrote it.
     */
    private @Nullable LockData dataForNext;

    /**
     * Until when the entry is to be kept for nobody, by the store's clock; {@code null} if it is not to be kept. Never
     * cleared.
     */
    private @Nullable Instant keptUntil;

    /**
     * @param sentAt when the append was sent
     * @param lastArrival the last waiter that had come when the append was sent: a shared slot serves no later one, so
     *     that no reader passes a writer
     * @param hasSpare whether it has slots for callers that were releasing then, and may soon come back
     */
    OwnEntry(Entry.OfSession entry, Moment sentAt, long lastArrival, boolean hasSpare) {
        this.entry = entry;
        this.sentAt = sentAt;
        this.lastArrival = lastArrival;
        this.hasSpare = hasSpare;
    }

    Entry.OfSession entry() {
        return entry;
    }

    Mode mode() {
        return entry.mode();
    }

    Stage stage() {
        return stage;
    }

    Moment sentAt() {
        return sentAt;
    }

    long lastArrival() {
        return lastArrival;
    }

    boolean hasSpare() {
        return hasSpare;
    }

    // The append

    /**
     * The call that appends the entry has been answered, or has failed.
     *
     * @param appendSettledAt when the append has landed all the same, or never will
     */
    void appendEnded(Moment appendSettledAt) {
        settledAt = Deadline.at(appendSettledAt);
    }

    /**
     * When the append has landed if it ever does; never while the call is under way, and once an item has shown the
     * entry.
     */
    Deadline appendSettledAt() {
        return stage == Stage.SENT ? settledAt : Deadline.NEVER;
    }

    /** Whether no item has shown the entry, though its append has landed at this moment if it ever does. */
    boolean isAppendSettled(Moment moment) {
        return appendSettledAt().isPast(moment);
    }

    // What an item shows

    /** Whether this is a number under which the entry may stand, or stood while the same holder had the lock by it. */
    boolean hasNumber(long number) {
        return entry.number() == number
                || formerNumbers.contains(number)
                || reissues.stream().anyMatch(reissued -> reissued.entry().number() == number);
    }

    /** Where the entry stands in this item, under any of its numbers; -1 if it does not. */
    int indexIn(LockItem item) {
        // Where a network has delivered the append twice, the old number may stand beside the new one: as an orphan.
        for (Reissued reissued : reissues) {
            int index = item.indexOf(reissued.entry());
            if (index >= 0) {
                return index;
            }
        }
        return item.indexOf(entry);
    }

    /**
     * An item has shown the entry. What it was reissued as is what it is now.
     *
     * @return the data that was written with the reissue, if any was
     */
    @Nullable
    LockData shown(Entry shown) {
        if (stage == Stage.SENT) {
            stage = Stage.STANDING;
        }
        for (Reissued reissued : reissues) {
            if (reissued.entry().equals(shown)) {
                become(reissued);
                return reissued.data();
            }
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // Data that was left since is written again, even if it is equal.
    private void become(Reissued reissued) {
        if (reissued.used() > 0) {
            formerNumbers.add(entry.number());
        } else {
            formerNumbers.clear();
        }
        entry = reissued.entry();
        used = reissued.used();
        isFenced = false;
        reissues.clear();
        if (reissued.data() == dataForNext) {
            dataForNext = null;
        }
    }

    // Whom it serves

    /** Whether it serves this waiter when it holds the lock that has this item. */
    boolean mayServe(Waiter waiter, LockItem item) {
        return waiter.mode() == mode()
                && (mode() != Mode.SHARED || waiter.arrival() <= lastArrival)
                && !item.hasOtherPermitsThan(waiter.spec().permits());
    }

    /** How many waiters it can still serve. */
    int slotsLeft() {
        return stage == Stage.REMOVING ? 0 : entry.slots() - used;
    }

    /** Whether a waiter may be granted the lock by it as it is now, if it holds. */
    boolean canServeNow() {
        return stage == Stage.STANDING && !keepsNextWaiting() && slotsLeft() > 0;
    }

    /** Whether waiters behind it in a run must wait: a former holder's fence or data could still be good under it. */
    boolean keepsNextWaiting() {
        return isFenced || !reissues.isEmpty() || dataForNext != null;
    }

    boolean isUsed() {
        return used > 0;
    }

    void use() {
        used++;
    }

    /** Its unused slots are to serve nobody: a writer that may go on as a reader has the entry for itself. */
    void dropUnused() {
        used = entry.slots();
    }

    /**
     * A fence by it was given out, or a caller was forced out of it: before the next grant it is taken out or reissued.
     */
    void fence() {
        isFenced = true;
    }

    /** The last holder leaves this data to the next. */
    void leaveData(LockData data) {
        dataForNext = data;
    }

    @Nullable
    LockData dataForNext() {
        return dataForNext;
    }

    /**
     * Its process stops, and the lock stays taken until then by the store's clock; of several times the last counts.
     */
    void keepUntil(Instant until) {
        if (keptUntil == null || until.isAfter(keptUntil)) {
            keptUntil = until;
        }
    }

    @Nullable
    Instant keptUntil() {
        return keptUntil;
    }

    // Edits that change it

    boolean isBeingReissued() {
        return !reissues.isEmpty();
    }

    /**
     * An edit was sent that reissues the entry.
     *
     * @param holders how many callers have the lock by it; their slots go on with them, and stay used
     */
    void reissueSent(Entry.OfSession to, int holders, @Nullable LockData data) {
        reissues.add(new Reissued(to, holders, data));
    }

    /** The reissue to this entry was refused, so that it never lands. */
    void reissueRefused(Entry to) {
        reissues.removeIf(reissued -> reissued.entry().equals(to));
    }

    /** An edit was sent that takes the entry out, or keeps it for nobody. */
    void removalSent() {
        stage = Stage.REMOVING;
        removals++;
    }

    /** A removal was refused, so that it never lands. */
    void removalRefused() {
        removals--;
    }

    /** Whether its process may have taken it out itself. */
    boolean mayHaveBeenTakenOut() {
        return removals > 0;
    }
}
