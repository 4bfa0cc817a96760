package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What only its process knows of an entry of its own: the item says where it stands. Lives on the event loop.
 *
 * <p>SENT: no item has shown it yet; its append may still land. STANDING: an item has shown it. REMOVING: an edit was sent that takes it
 * out or keeps it for nobody; from then on it serves nobody, since the edit may land at any time.
 */
class OwnEntry {

    /** See the class. */
    enum Stage {
        SENT,
        STANDING,
        REMOVING
    }

    /** Whoever asks about a number has seen it lately. */
    private static final int MOST_FORMER = 1_000;

    /** An entry that was sent in the place of another, how many of its slots are used, and the data that went with it. */
    private record Reissued(
            Entry.OfSession entry, int used, @Nullable LockData data) {}

    final long sentNanos;
    final long lastArrival;
    final boolean hasSpare;
    private Entry.OfSession entry;
    private final List<Reissued> reissues = new ArrayList<>(0);

    /** The numbers that it had while the same callers held the lock by it. */
    private final Set<Long> formerly = Collections.newSetFromMap(new RecentlyUsed<>(MOST_FORMER));

    private Stage stage = Stage.SENT;
    private long landsBefore = Long.MAX_VALUE;
    private int removals;
    private int used;
    private boolean fenced;

    /** What its last holder leaves to the next. */
    @Nullable
    LockData left;

    /** Until when it is to be kept for nobody, by the store's clock; {@code null} if it is not. */
    @Nullable
    Instant keptUntil;

    /**
     * @param lastArrival the last waiter that had come when its append was sent: a shared slot serves no later one, so that no reader
     *     passes a writer
     * @param hasSpare whether it has slots for callers that were releasing then, and may soon come back
     */
    OwnEntry(Entry.OfSession entry, long sentNanos, long lastArrival, boolean hasSpare) {
        this.entry = entry;
        this.sentNanos = sentNanos;
        this.lastArrival = lastArrival;
        this.hasSpare = hasSpare;
    }

    /** Those of own entries that an item has shown, by how they stand there. */
    static Map<Entry, OwnEntry> known(List<OwnEntry> entries) {
        return entries.stream()
                .filter(own -> own.stage != Stage.SENT)
                .collect(Collectors.toMap(OwnEntry::entry, Function.identity()));
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

    /**
     * The call that appends it has been answered, or has failed.
     *
     * @param before when it will have landed all the same, or never will, by the monotonic clock
     */
    void appendEnded(long before) {
        landsBefore = before;
    }

    /**
     * Before when its append lands if it ever does, by the monotonic clock; {@link Long#MAX_VALUE} while that is under way, and once an
     * item has shown it.
     */
    long landsBefore() {
        return stage == Stage.SENT ? landsBefore : Long.MAX_VALUE;
    }

    /** Whether its append has had no answer, and has landed at this moment if it ever lands. */
    boolean hasSurelyLanded(long nanos) {
        return landsBefore() != Long.MAX_VALUE && nanos - landsBefore >= 0;
    }

    /** Whether it is one of the numbers under which this entry may stand, or stood while the same holder had the lock by it. */
    boolean isCalled(long number) {
        return entry.number() == number
                || formerly.contains(number)
                || reissues.stream().anyMatch(reissued -> reissued.entry().number() == number);
    }

    /** Where it stands in this item, under any of its numbers; -1 if it does not. */
    int indexIn(LockItem item) {
        // Where a network has delivered its append twice, the old number may stand beside the new one: as an orphan.
        for (Reissued reissued : reissues) {
            if (item.indexOf(reissued.entry()) >= 0) {
                return item.indexOf(reissued.entry());
            }
        }
        return item.indexOf(entry);
    }

    /**
     * An item has shown it. What it was reissued as is what it is now.
     *
     * @return the data that was written with that, if any was
     */
    @Nullable
    @SuppressWarnings("ReferenceEquality") // Data that was left since is written again, even if it is the same.
    LockData shown(Entry shown) {
        if (stage == Stage.SENT) {
            stage = Stage.STANDING;
        }
        for (Reissued reissued : reissues) {
            if (reissued.entry().equals(shown)) {
                if (reissued.used() > 0) {
                    formerly.add(entry.number());
                } else {
                    formerly.clear();
                }
                entry = reissued.entry();
                used = reissued.used();
                fenced = false;
                reissues.clear();
                left = reissued.data() == left ? null : left;
                return reissued.data();
            }
        }
        return null;
    }

    /** Whether it serves this waiter when it holds the lock that has this item. */
    boolean mayServe(Waiter waiter, LockItem item) {
        return waiter.mode() == mode()
                && (mode() != Mode.SHARED || waiter.arrival <= lastArrival)
                && !item.hasOtherPermitsThan(waiter.spec.permits());
    }

    /** How many waiters it can still serve. */
    int slotsLeft() {
        return stage == Stage.REMOVING ? 0 : entry.slots() - used;
    }

    /** Whether a waiter may be granted the lock by it as it is now, if it holds. */
    boolean canServeNow() {
        return stage == Stage.STANDING && !keepsNextWaiting() && slotsLeft() > 0;
    }

    /**
     * Whether those behind it in a run must wait: a former holder's fence or data could still be good under it.
     */
    boolean keepsNextWaiting() {
        return fenced || !reissues.isEmpty() || left != null;
    }

    boolean isUsed() {
        return used > 0;
    }

    void use() {
        used++;
    }

    /** What it has left is not to be used: a writer that may go on as a reader has it for itself. */
    void dropUnused() {
        used = entry.slots();
    }

    /** A fence by it was given out, or a caller was forced out of it: before the next grant it is taken out or reissued. */
    void fence() {
        fenced = true;
    }

    /** Its process stops, and the lock stays taken until then by the store's clock; of several times the last counts. */
    void keepUntil(Instant until) {
        keptUntil = keptUntil != null && keptUntil.isAfter(until) ? keptUntil : until;
    }

    boolean isBeingReissued() {
        return !reissues.isEmpty();
    }

    /** @param holders those who have the lock by it; their slots go on with them, and stay used */
    void reissueSent(Entry.OfSession to, int holders, @Nullable LockData data) {
        reissues.add(new Reissued(to, holders, data));
    }

    /** The reissue to this was refused, so that it never lands. */
    void reissueRefused(Entry to) {
        reissues.removeIf(reissued -> reissued.entry().equals(to));
    }

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
