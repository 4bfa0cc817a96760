package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Moment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this process that hold one lock, and the callers whose release is being written. A hold is in at most
 * one of the two sets. All holds that have the lock at the same time are compatible with each other. Lives on the event
 * loop. Not final, because tests that break a rule on purpose replace {@link #allowAnother}.
 */
class Holds {

    /** The holds that have the lock by one entry. */
    private static final class ByEntry {

        /** In the order of their grants. Not empty. */
        private final Set<Hold> holds = new LinkedHashSet<>();

        /** Those that want data written, by their tickets, that is in the order of their grants. */
        private final NavigableMap<Long, Hold> withData = new TreeMap<>();

        private int downgrading;
    }

    /** The holds that have the lock, in the order of their grants. */
    private final Set<Hold> current = new LinkedHashSet<>();

    /** The same holds, by their entries. */
    private final Map<OwnEntry, ByEntry> byEntry = new HashMap<>();

    /** Released holds whose callers have not been told yet that the release is done, in the order of the releases. */
    private final Set<Hold> releasing = new LinkedHashSet<>();

    /** How many of these callers go on only when their release is done. */
    private int releasingAwaited;

    /** How many holds are releasing, by their entries. */
    private final Map<OwnEntry, Integer> releasingByEntry = new LinkedHashMap<>();

    /** The ticket of the last grant here; 0 before the first. */
    private long ticketOfLastGrant;

    /** Whether nobody has the lock here. */
    boolean isEmpty() {
        return current.isEmpty();
    }

    boolean contains(Hold hold) {
        return current.contains(hold);
    }

    int count() {
        return current.size();
    }

    /** The holds that have the lock, as they are now. */
    List<Hold> current() {
        return List.copyOf(current);
    }

    /** The holds that have the lock by this entry, as they are now. */
    List<Hold> by(OwnEntry entry) {
        ByEntry holds = byEntry.get(entry);
        return holds == null ? List.of() : List.copyOf(holds.holds);
    }

    boolean areBy(OwnEntry entry) {
        return byEntry.containsKey(entry);
    }

    int countBy(OwnEntry entry) {
        ByEntry holds = byEntry.get(entry);
        return holds == null ? 0 : holds.holds.size();
    }

    /** The data that the first holder by this entry wants written; {@code null} if none wants that. */
    @Nullable
    LockData dataToWriteBy(OwnEntry entry) {
        ByEntry holds = byEntry.get(entry);
        return holds == null || holds.withData.isEmpty()
                ? null
                : holds.withData.firstEntry().getValue().dataToWrite();
    }

    /** Whether a holder by this entry, a writer, wants to go on as a reader. */
    boolean isDowngradingBy(OwnEntry entry) {
        ByEntry holds = byEntry.get(entry);
        return holds != null && holds.downgrading > 0;
    }

    /** Whether another caller may have the lock in this mode beside all holders. */
    boolean allowAnother(Mode mode) {
        // All holders are compatible with each other, so it is enough to look at the first.
        return current.isEmpty()
                || mode != Mode.EXCLUSIVE && current.iterator().next().entry().mode() == mode;
    }

    /**
     * A waiter gets the lock by an entry that has a slot for it.
     *
     * @param ticketOfSlot the ticket of that slot. If it is not greater than the ticket of the last hold here, the new
     *     hold gets the next greater one
     */
    Hold grant(WaitingCaller waiter, OwnEntry entry, long ticketOfSlot, LockData data, Moment now) {
        ticketOfLastGrant = Math.max(ticketOfLastGrant + 1, ticketOfSlot);
        Hold hold = new Hold(waiter.spec(), entry, ticketOfLastGrant, data, now);
        current.add(hold);
        byEntry.computeIfAbsent(entry, first -> new ByEntry()).holds.add(hold);
        return hold;
    }

    /** The holder wants this data written; {@code null} if nothing is to be written any more. */
    void setDataToWrite(Hold hold, @Nullable LockData data) {
        hold.setDataToWrite(data);
        ByEntry holds = byEntry.get(hold.entry());
        if (holds != null && holds.holds.contains(hold)) {
            if (data == null) {
                holds.withData.remove(hold.ticket());
            } else {
                holds.withData.put(hold.ticket(), hold);
            }
        }
    }

    /** The holder, a writer, wants to go on as a reader. */
    void downgrade(Hold hold) {
        ByEntry holds = byEntry.get(hold.entry());
        if (holds != null && holds.holds.contains(hold) && !hold.isDowngrading()) {
            holds.downgrading++;
        }
        hold.downgrade();
    }

    /** The holder has released the lock before the end of its shortest hold, and the lock stays taken until then. */
    void releaseEarly(Hold hold, Hold.Release release) {
        hold.releaseEarly(release);
    }

    /**
     * The holder has released the lock. Its caller waits until the hold comes out of {@link #takeDone} or {@link
     * #takeReleasing}.
     */
    void release(Hold hold, Hold.Release release) {
        removeCurrent(hold);
        leaveData(hold.entry(), release);
        if (release.isFenceGiven()) {
            hold.entry().requireNewNumber();
        }
        hold.releasedOn(release.terms());
        releasing.add(hold);
        releasingAwaited += hold.isReleaseAwaited() ? 1 : 0;
        releasingByEntry.merge(hold.entry(), 1, Integer::sum);
    }

    private void removeCurrent(Hold hold) {
        ByEntry holds = byEntry.get(hold.entry());
        if (current.remove(hold) && holds != null) {
            holds.holds.remove(hold);
            holds.withData.remove(hold.ticket());
            holds.downgrading -= hold.isDowngrading() ? 1 : 0;
            if (holds.holds.isEmpty()) {
                byEntry.remove(hold.entry());
            }
        }
    }

    /**
     * The holder has lost the lock. If it has released the lock before the end of its shortest hold, the next holder
     * still finds the data of that release.
     */
    void lose(Hold hold) {
        removeCurrent(hold);
        Hold.Release early = hold.earlyRelease();
        if (early != null) {
            leaveData(hold.entry(), early);
        }
    }

    private static void leaveData(OwnEntry entry, Hold.Release release) {
        LockData dataForNext = release.dataForNext();
        if (dataForNext != null) {
            entry.leaveData(dataForNext);
        }
    }

    /** Whether callers wait for the end of their release. */
    boolean areReleasing() {
        return !releasing.isEmpty();
    }

    /** The last hold whose caller waits for the end of its release; {@code null} if none does. */
    @Nullable
    Hold lastReleasing() {
        Hold last = null;
        for (Hold hold : releasing) {
            last = hold;
        }
        return last;
    }

    /** Whether no caller that is releasing the lock wants its entry to be gone at once. */
    boolean mayEntriesStay() {
        return releasing.stream().noneMatch(hold -> hold.stay().isZero());
    }

    /** How many callers go on only when their release is done. */
    int countReleasingAwaited() {
        return releasingAwaited;
    }

    /** Whether no reader and no holder of a permit is releasing the lock. True also if nobody is releasing it. */
    boolean areReleasingExclusively() {
        return releasingByEntry.keySet().stream().allMatch(entry -> entry.mode() == Mode.EXCLUSIVE);
    }

    /**
     * Takes the holds whose release is done: the entry is gone from the item, or another caller of this process has the
     * lock. A permit's release is done only when its entry is gone.
     *
     * @param isKnown whether an own entry may still be in the queue
     */
    List<Hold> takeDone(Predicate<OwnEntry> isKnown) {
        boolean isPassedOn = !current.isEmpty();
        Set<OwnEntry> entries = releasingByEntry.keySet().stream()
                .filter(entry -> !isKnown.test(entry) || isPassedOn && entry.mode() != Mode.PERMIT)
                .collect(Collectors.toSet());
        if (entries.isEmpty()) {
            return List.of();
        }
        List<Hold> done = releasing.stream()
                .filter(hold -> entries.contains(hold.entry()))
                .toList();
        done.forEach(releasing::remove);
        releasingAwaited -= (int) done.stream().filter(Hold::isReleaseAwaited).count();
        releasingByEntry.keySet().removeAll(entries);
        return done;
    }

    /** Takes all holds that are being released, also those whose release is not done. */
    List<Hold> takeReleasing() {
        List<Hold> all = List.copyOf(releasing);
        releasing.clear();
        releasingAwaited = 0;
        releasingByEntry.clear();
        return all;
    }

    /** Whether nobody has the lock here or waits for the end of a release. */
    boolean areOver() {
        return current.isEmpty() && releasing.isEmpty();
    }
}
