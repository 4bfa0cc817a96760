package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.collection.RecentlyUsed;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What only this process knows about one of its entries; where the entry stands is in the item. Lives on the event
 * loop.
 *
 * <p>An entry is SENT until an item shows it: its append may still land. Then it is STANDING. Once an edit was sent
 * that takes it out, or makes it a kept entry, it is REMOVING: it serves nobody any more, since the edit may land at
 * any time.
 *
 * <p>Not final, because tests that break a rule on purpose replace its methods.
 */
class OwnEntry {

    /** See the class. */
    enum Stage {
        SENT,
        STANDING,
        REMOVING
    }

    /**
     * A slot that was appended for callers who come soon serves only callers that have come within this time of the
     * sending of the append ({@link Stays}).
     */
    static final Duration SPARE_WINDOW = Duration.ofMillis(50);

    /** How many former numbers are remembered. More are not needed: a process asks about a number it has just seen. */
    private static final int MOST_FORMER_NUMBERS = 1_000;

    /**
     * A reissue that was sent: the entry with its new number, how many of its slots are used, and the data that was
     * sent with it.
     */
    private record Reissued(
            Entry.OfSession entry, int used, @Nullable LockData data) {}

    private final Moment sentAt;
    private final long lastArrival;
    private final boolean hasSpare;

    /**
     * How many slots were appended for waiters; all further slots are for callers that come soon ({@link Stays}). Once
     * an item has shown a reissue, how many were used by then. {@link Integer#MAX_VALUE} if no slot is for callers to
     * come.
     */
    private int slotsForWaiters;

    /**
     * The arrival number of the last caller that this entry may serve. Lowered at most once, for an entry with slots
     * for callers that come soon ({@link #closeSpareSlots}).
     */
    private long lastArrivalServed;

    /** The entry as an item has last shown it, or as it was sent if no item has shown it yet. */
    private Entry.OfSession entry;

    /**
     * The reissues that were sent and may still land, in the order of their sending. A refused reissue is removed from
     * this list; the list is cleared when an item shows one of its reissues.
     */
    private final List<Reissued> reissues = new ArrayList<>(0);

    /**
     * The numbers that the entry had before, while its present holders already held the lock by it. Cleared when it is
     * reissued without a holder.
     */
    private final Set<Long> formerNumbers = Collections.newSetFromMap(new RecentlyUsed<>(MOST_FORMER_NUMBERS));

    /** See the comment of the class. Never goes back. */
    private Stage stage = Stage.SENT;

    /**
     * The moment after which the append can no longer take effect. Never, until the call that appends the entry has
     * been answered or has failed.
     */
    private Deadline settledAt = Deadline.NEVER;

    /** How many removals were sent and have not been refused. */
    private int removals;

    /**
     * How many slots serve nobody any more: they have served a caller, or were dropped ({@link #dropUnused}). Set anew
     * when an item shows a reissue.
     */
    private int used;

    /**
     * When a caller that had the lock by this entry gave it up last; {@code null} if none has since the entry was
     * appended, or reissued without a holder.
     */
    private @Nullable Moment lastLeftAt;

    /**
     * Whether a caller that had the lock by this entry has taken its fence, or was forced out. Before the next grant,
     * the entry is taken out or reissued. Cleared when an item shows the reissue.
     */
    private boolean needsNewNumber;

    /**
     * The data that the last holder leaves to the next and that is not known to be written; {@code null} for none.
     * Cleared when an item shows the reissue that wrote it.
     */
    private @Nullable LockData dataForNext;

    /**
     * Until when the lock is to stay taken by a kept entry in the place of this one, by the store's clock; {@code null}
     * if this entry is just taken out. Never cleared.
     */
    private @Nullable Instant keptUntil;

    /**
     * @param sentAt when the append was sent
     * @param lastArrival the number of the last waiter that had come when the append was sent: a shared slot serves no
     *     later waiter, so that no reader passes a writer
     * @param hasSpare whether the entry has slots for callers that were releasing the lock then, and may soon come back
     */
    OwnEntry(Entry.OfSession entry, Moment sentAt, long lastArrival, boolean hasSpare) {
        this(entry, sentAt, lastArrival, hasSpare, Integer.MAX_VALUE);
    }

    /**
     * @param slotsForWaiters how many of the slots are for waiters that had come when the append was sent; all others
     *     are for callers that come soon
     */
    OwnEntry(Entry.OfSession entry, Moment sentAt, long lastArrival, boolean hasSpare, int slotsForWaiters) {
        this.entry = entry;
        this.sentAt = sentAt;
        this.lastArrival = lastArrival;
        this.hasSpare = hasSpare;
        this.slotsForWaiters = slotsForWaiters;
        this.lastArrivalServed = entry.mode() == Mode.SHARED ? lastArrival : Long.MAX_VALUE;
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

    int slotsForWaiters() {
        return slotsForWaiters;
    }

    boolean hasSpare() {
        return hasSpare;
    }

    // The append

    /**
     * The call that appends the entry has been answered, or has failed.
     *
     * @param appendSettledAt the moment after which the append can no longer take effect
     */
    void appendEnded(Moment appendSettledAt) {
        settledAt = Deadline.at(appendSettledAt);
    }

    /**
     * The moment after which the append can no longer take effect. Never, while the call is under way, and once an item
     * has shown the entry.
     */
    Deadline appendSettledAt() {
        return stage == Stage.SENT ? settledAt : Deadline.NEVER;
    }

    /** Whether no item has shown the entry yet, and its append can no longer take effect after this moment. */
    boolean isAppendSettled(Moment moment) {
        return appendSettledAt().isPast(moment);
    }

    // What an item shows

    /** Whether the entry may have this number, or had it while its present holders already had the lock by it. */
    boolean hasNumber(long number) {
        return entry.number() == number
                || formerNumbers.contains(number)
                || reissues.stream().anyMatch(reissued -> reissued.entry().number() == number);
    }

    /** The entry's number, and those that it had while its present holders already had the lock by it. */
    Stream<Long> numbers() {
        return Stream.concat(Stream.of(entry.number()), formerNumbers.stream());
    }

    /**
     * The index of the entry in a queue, under any of its numbers; -1 if the entry is not there.
     *
     * @param places as {@link LockItem#places} gives them
     */
    int indexIn(Map<Entry, Integer> places) {
        // If a network has delivered the append twice, the old number may stand beside the new one, as an orphan.
        for (Reissued reissued : reissues) {
            Integer index = places.get(reissued.entry());
            if (index != null) {
                return index;
            }
        }
        return places.getOrDefault(entry, -1);
    }

    /**
     * An item has shown the entry. If it shows a reissue, the entry has its number and its slots from now on.
     *
     * @return the data that was written with the reissue; {@code null} if there was no data, or no reissue is shown
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
            lastLeftAt = null;
        }
        entry = reissued.entry();
        used = reissued.used();
        if (hasSlotsForComing()) {
            slotsForWaiters = used;
        }
        needsNewNumber = false;
        reissues.clear();
        if (reissued.data() == dataForNext) {
            dataForNext = null;
        }
    }

    // Whom it serves

    /**
     * The arrival number of the last waiter that this entry may serve. Which of the waiters before it the entry may
     * serve depends on their {@link Lane}.
     */
    long lastArrivalServed() {
        return lastArrivalServed;
    }

    /**
     * A caller comes. If it comes too late for the spare slots of an entry that may stay ({@link Stays}), or somebody
     * waits already, this entry serves nobody from this caller on.
     *
     * @param lastServed the arrival number of the caller that came last before
     * @param isNobodyWaiting whether nobody waits here but for the caller that comes
     */
    void closeSpareSlots(long lastServed, boolean isNobodyWaiting, Moment now) {
        boolean isTooLate = now.since(sentAt).compareTo(SPARE_WINDOW) > 0 || !isNobodyWaiting;
        if (isTooLate && hasSlotsForComing() && lastArrivalServed == Long.MAX_VALUE) {
            lastArrivalServed = lastServed;
        }
    }

    /** Whether slots were appended for callers that come soon. */
    boolean hasSlotsForComing() {
        return slotsForWaiters < entry.slots();
    }

    /** How many waiters the entry can still serve. */
    int slotsLeft() {
        return stage == Stage.REMOVING ? 0 : entry.slots() - used;
    }

    /** Whether a waiter may be granted the lock by this entry now, if the entry holds the lock. */
    boolean canServeNow() {
        return stage == Stage.STANDING && !keepsNextWaiting() && slotsLeft() > 0;
    }

    /**
     * Whether nobody may be granted the lock by this entry, or by an exclusive entry behind it in the run, until an
     * item shows a reissue or a removal: a former holder's fence or data may still be good.
     */
    boolean keepsNextWaiting() {
        return needsNewNumber || !reissues.isEmpty() || dataForNext != null;
    }

    /**
     * Whether a caller has had the lock by this entry since it was appended or last reissued. Also true once the unused
     * slots were dropped, even if nobody had the lock by this entry. That does no harm: an eviction of the entry then
     * ends no wait, and the edit at the end of the turn may append spare slots in vain.
     */
    boolean isUsed() {
        return used > 0;
    }

    /** A caller that had the lock by this entry has given it up. */
    void left(Moment now) {
        lastLeftAt = now;
    }

    /** If nobody has the lock by this entry: since when at the latest. */
    Moment unusedSince() {
        return lastLeftAt == null ? sentAt : lastLeftAt;
    }

    /** A slot serves a waiter. */
    void use() {
        used++;
    }

    /**
     * The unused slots serve nobody any more: a writer that may go on as a reader has the entry for itself, the engine
     * closes, or an operator has evicted the entry.
     */
    void dropUnused() {
        used = entry.slots();
    }

    /**
     * A caller that had the lock by this entry has taken its fence, or was forced out: before the next grant, the entry
     * is taken out or reissued.
     */
    void requireNewNumber() {
        needsNewNumber = true;
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
     * The engine closes, and the lock is to stay taken until this time by the store's clock. If there are several
     * times, the latest counts.
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
     * @param holders how many callers have the lock by the entry: their slots go over to the new number as used slots
     */
    void reissueSent(Entry.OfSession to, int holders, @Nullable LockData data) {
        reissues.add(new Reissued(to, holders, data));
    }

    /** The reissue to this entry was refused, so that it never lands. */
    void reissueRefused(Entry to) {
        reissues.removeIf(reissued -> reissued.entry().equals(to));
    }

    /** An edit was sent that takes the entry out, or makes it a kept entry. */
    void removalSent() {
        stage = Stage.REMOVING;
        removals++;
    }

    /** A removal was refused, so that it never lands. */
    void removalRefused() {
        removals--;
    }

    /** Whether this process may have taken the entry out itself. */
    boolean mayHaveBeenTakenOut() {
        return removals > 0;
    }
}
