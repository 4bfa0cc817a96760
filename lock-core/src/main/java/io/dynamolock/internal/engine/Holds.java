package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Moment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this process that have one lock, and those whose release is being written. A hold is in at most one of
 * both sets, and all holds that have the lock at the same time are compatible with each other. Lives on the event loop.
 */
class Holds {

    /** The holds that have the lock, in the order of their grants. */
    private final List<Hold> current = new ArrayList<>();

    /** Released holds whose callers have not been told yet that the release is done. */
    private final Set<Hold> releasing = new LinkedHashSet<>();

    /** The ticket of the last grant here; 0 before the first. */
    private long lastTicket;

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
        return current.stream().filter(hold -> hold.entry() == entry).toList();
    }

    boolean areBy(OwnEntry entry) {
        return current.stream().anyMatch(hold -> hold.entry() == entry);
    }

    /** Whether the holders let another caller have the lock in this mode. */
    boolean letIn(Mode mode) {
        return current.stream().allMatch(hold -> hold.entry().mode() == mode && mode != Mode.EXCLUSIVE);
    }

    /**
     * A waiter gets the lock by an entry that has a slot for it.
     *
     * @param ticketOfSlot the ticket of that slot; the hold's ticket is greater than that of every earlier hold all the
     *     same
     */
    Hold grant(Waiter waiter, OwnEntry entry, long ticketOfSlot, LockData data, Moment now) {
        lastTicket = Math.max(lastTicket + 1, ticketOfSlot);
        Hold hold = new Hold(waiter.spec(), entry, lastTicket, data, now);
        current.add(hold);
        return hold;
    }

    /** The holder wants this data written; {@code null} if nothing is to be written any more. */
    void setDataToWrite(Hold hold, @Nullable LockData data) {
        hold.setDataToWrite(data);
    }

    /** The holder, a writer, wants to go on as a reader. */
    void downgrade(Hold hold) {
        hold.downgrade();
    }

    /** The holder has released the lock before the end of its shortest hold, and the lock stays taken until then. */
    void releaseEarly(Hold hold, Hold.Release release) {
        hold.releaseEarly(release);
    }

    /**
     * The holder has released the lock. Its caller waits until {@link #takeDone} or {@link #takeReleasing} has told the
     * hold.
     */
    void release(Hold hold, Hold.Release release) {
        current.remove(hold);
        leaveData(hold.entry(), release);
        if (release.isFenceGiven()) {
            hold.entry().fence();
        }
        releasing.add(hold);
    }

    /** The holder has not the lock any more, though it has not released it. */
    void lose(Hold hold) {
        current.remove(hold);
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

    int countReleasing() {
        return releasing.size();
    }

    /** Whether no reader and no holder of a permit is releasing the lock. */
    boolean areReleasingExclusively() {
        return releasing.stream().allMatch(hold -> hold.entry().mode() == Mode.EXCLUSIVE);
    }

    /**
     * Takes the holds whose release is done: the lock was passed on, others of the process read on beside it, or the
     * entry is gone from the item.
     *
     * @param isKnown whether an entry is not gone from the item, as far as is known
     */
    List<Hold> takeDone(Predicate<OwnEntry> isKnown) {
        boolean isPassedOn = !current.isEmpty();
        List<Hold> done = releasing.stream()
                .filter(hold -> !isKnown.test(hold.entry())
                        || isPassedOn && hold.entry().mode() != Mode.PERMIT)
                .toList();
        done.forEach(releasing::remove);
        return done;
    }

    /** Takes all holds that are being released: nothing more is waited for. */
    List<Hold> takeReleasing() {
        List<Hold> all = List.copyOf(releasing);
        releasing.clear();
        return all;
    }

    /** Whether there is nothing left to do for any holder. */
    boolean areOver() {
        return current.isEmpty() && releasing.isEmpty();
    }
}
