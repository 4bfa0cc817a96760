package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Moment;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The waiters of a {@link WaitingLine} that want the lock in the same mode, and if they want permits, the same number
 * of permits. Whatever stands in the way of one waiter of a lane stands in the way of all of them, except for waiters
 * that came earlier. So decisions look at lanes and at the sets below, and not at each waiter. {@link WaitingLine}
 * alone changes a lane. Lives on the event loop.
 */
final class Lane {

    static final Comparator<WaitingCaller> BY_ARRIVAL = Comparator.comparingLong(WaitingCaller::arrival);

    /** By the moment at which the waiter's time is over. */
    static final Comparator<WaitingCaller> BY_END =
            Comparator.comparing(WaitingCaller::timeOverAt, Moment.ORDER).thenComparing(BY_ARRIVAL);

    /** Whether a waiter whose time is over is owed an answer depends on its lane and on this. */
    enum Overdue {
        TRY,
        ANSWERED,
        UNANSWERED;

        private static Overdue of(WaitingCaller waiter) {
            return waiter.isTry() ? TRY : waiter.isAnswered() ? ANSWERED : UNANSWERED;
        }
    }

    private final Mode mode;
    private final int permits;
    private final ArrivalOrder order = new ArrivalOrder();

    /** The waiters that do not wait. */
    private final NavigableSet<WaitingCaller> tries = new TreeSet<>(BY_ARRIVAL);

    /** The tries that have seen the item since they came. */
    private final NavigableSet<WaitingCaller> informedTries = new TreeSet<>(BY_ARRIVAL);

    /** The waiters that need an item, and have seen it, or that there is none, since they came. */
    private final NavigableSet<WaitingCaller> informedNeedingItem = new TreeSet<>(BY_ARRIVAL);

    /** The waiters for permits that have seen the item since they came. */
    private final NavigableSet<WaitingCaller> informedForPermits = new TreeSet<>(BY_ARRIVAL);

    private final Map<Overdue, NavigableSet<WaitingCaller>> overdue = new EnumMap<>(Overdue.class);

    /** @param permits 0 if the mode is not for permits */
    Lane(Mode mode, int permits) {
        this.mode = mode;
        this.permits = permits;
    }

    Mode mode() {
        return mode;
    }

    /** How many permits the lock has, as the waiters say; 0 if they do not want permits. */
    int permits() {
        return permits;
    }

    ArrivalOrder order() {
        return order;
    }

    boolean isEmpty() {
        return order.summary().count() == 0;
    }

    /** Whether these waiters want another number of permits than the lock has. */
    boolean wantsOtherPermitsThan(LockItem item) {
        return item.hasOtherPermitsThan(permits);
    }

    /** The waiters that do not wait, in the order of arrival. */
    NavigableSet<WaitingCaller> tries() {
        return tries;
    }

    /** The {@link #tries} that have seen the item since they came. */
    NavigableSet<WaitingCaller> informedTries() {
        return informedTries;
    }

    /** Whether a waiter that does not wait has not seen the item since it came. */
    boolean hasUninformedTry() {
        return tries.size() > informedTries.size();
    }

    /** The waiters that need an item, and have seen it, or that there is none, since they came. */
    NavigableSet<WaitingCaller> informedNeedingItem() {
        return informedNeedingItem;
    }

    /** The waiters for permits that have seen the item since they came. */
    NavigableSet<WaitingCaller> informedForPermits() {
        return informedForPermits;
    }

    /** The waiters of this sort whose time is over, in the order in which their times were over. */
    NavigableSet<WaitingCaller> overdue(Overdue sort) {
        return overdue.getOrDefault(sort, Collections.emptyNavigableSet());
    }

    // Changes

    void add(WaitingCaller waiter) {
        order.add(waiter);
        if (waiter.isTry()) {
            tries.add(waiter);
        }
        noteInformed(waiter);
        noteOverdue(waiter);
    }

    void remove(WaitingCaller waiter) {
        order.remove(waiter);
        tries.remove(waiter);
        informedTries.remove(waiter);
        informedNeedingItem.remove(waiter);
        informedForPermits.remove(waiter);
        forgetOverdue(waiter);
    }

    void timeIsOver(WaitingCaller waiter) {
        if (!waiter.isOverdue()) {
            waiter.timeIsOver();
            order.changed(waiter);
            noteOverdue(waiter);
        }
    }

    void answered(WaitingCaller waiter, Moment sentAt) {
        forgetOverdue(waiter);
        waiter.answered(sentAt);
        noteOverdue(waiter);
    }

    void itemShown(WaitingCaller waiter, Moment sentAt) {
        waiter.itemShown(sentAt);
        order.changed(waiter);
        noteInformed(waiter);
    }

    void queued(WaitingCaller waiter) {
        waiter.queued();
        order.changed(waiter);
    }

    void foundFull(WaitingCaller waiter) {
        waiter.foundFull();
        order.changed(waiter);
    }

    private void noteInformed(WaitingCaller waiter) {
        if (waiter.hasSeenItem()) {
            if (waiter.isTry()) {
                informedTries.add(waiter);
            }
            if (waiter.spec().onlyIfExists()) {
                informedNeedingItem.add(waiter);
            }
            if (permits > 0) {
                informedForPermits.add(waiter);
            }
        }
    }

    private void noteOverdue(WaitingCaller waiter) {
        if (waiter.isOverdue()) {
            overdue.computeIfAbsent(Overdue.of(waiter), sort -> new TreeSet<>(BY_END))
                    .add(waiter);
        }
    }

    private void forgetOverdue(WaitingCaller waiter) {
        if (waiter.isOverdue()) {
            overdue(Overdue.of(waiter)).remove(waiter);
        }
    }
}
