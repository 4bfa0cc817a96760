package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What decisions need to know of many waiters together. {@link ArrivalOrder} keeps summaries of neighbours, so that no
 * decision has to look at each waiter.
 *
 * @param count how many waiters there are
 * @param tries how many of them {@linkplain WaitingCaller#isTry() do not wait}
 * @param alone how many of them share their entry with no other caller
 * @param needingItem how many of them need the lock to have an item already
 * @param uninformed how many of them have not seen the item since they came
 * @param notQueued how many of them were not told that they have a slot
 * @param untold how many of them do wait, and were told neither that they have a slot nor that the queue is full
 * @param stillWaiting how many of them do wait, and their time is not over
 * @param gathersUntil the earliest moment until which one of them is held back for others; {@code null} without waiters
 * @param shortestWait the shortest wait of those that do wait, as they have asked for it; {@code null} if none waits
 */
record LineSummary(
        int count,
        int tries,
        int alone,
        int needingItem,
        int uninformed,
        int notQueued,
        int untold,
        int stillWaiting,
        @Nullable Moment gathersUntil,
        @Nullable Duration shortestWait) {

    static final LineSummary NOBODY = new LineSummary(0, 0, 0, 0, 0, 0, 0, 0, null, null);

    /** What waiters are counted by. */
    enum Property {
        ANY(LineSummary::count, waiter -> true),
        TRY(LineSummary::tries, WaitingCaller::isTry),
        ALONE(LineSummary::alone, WaitingCaller::needsEntryForItself),
        NEEDS_ITEM(LineSummary::needingItem, waiter -> waiter.spec().onlyIfExists()),
        NEEDS_NO_ITEM(
                waiters -> waiters.count - waiters.needingItem,
                waiter -> !waiter.spec().onlyIfExists()),
        NOT_QUEUED(LineSummary::notQueued, waiter -> !waiter.isQueued()),
        UNTOLD(LineSummary::untold, waiter -> !waiter.isTry() && !waiter.isQueued() && !waiter.hasFoundFull()),
        STILL_WAITING(LineSummary::stillWaiting, waiter -> !waiter.isTry() && !waiter.isOverdue());

        private final ToIntFunction<LineSummary> count;
        private final Predicate<WaitingCaller> isOf;

        Property(ToIntFunction<LineSummary> count, Predicate<WaitingCaller> isOf) {
            this.count = count;
            this.isOf = isOf;
        }

        /** How many of these waiters have the property. */
        int count(LineSummary waiters) {
            return count.applyAsInt(waiters);
        }

        boolean isOf(WaitingCaller waiter) {
            return isOf.test(waiter);
        }
    }

    static LineSummary of(WaitingCaller waiter) {
        return of(new WaitingCaller[] {waiter}, 0, 1);
    }

    /** @param places may be empty in places */
    static LineSummary of(@Nullable WaitingCaller[] places, int from, int to) {
        int count = 0;
        int tries = 0;
        int alone = 0;
        int needingItem = 0;
        int uninformed = 0;
        int notQueued = 0;
        int untold = 0;
        int stillWaiting = 0;
        Moment gathersUntil = null;
        Duration shortestWait = null;
        for (int place = from; place < to; place++) {
            WaitingCaller waiter = places[place];
            if (waiter != null) {
                count++;
                tries += waiter.isTry() ? 1 : 0;
                alone += waiter.needsEntryForItself() ? 1 : 0;
                needingItem += waiter.spec().onlyIfExists() ? 1 : 0;
                uninformed += waiter.hasSeenItem() ? 0 : 1;
                notQueued += waiter.isQueued() ? 0 : 1;
                untold += Property.UNTOLD.isOf(waiter) ? 1 : 0;
                stillWaiting += Property.STILL_WAITING.isOf(waiter) ? 1 : 0;
                gathersUntil = earlier(gathersUntil, waiter.gathersUntil());
                shortestWait = shorter(
                        shortestWait, waiter.isTry() ? null : waiter.spec().waitLimit());
            }
        }
        return count == 0
                ? NOBODY
                : new LineSummary(
                        count,
                        tries,
                        alone,
                        needingItem,
                        uninformed,
                        notQueued,
                        untold,
                        stillWaiting,
                        gathersUntil,
                        shortestWait);
    }

    LineSummary plus(LineSummary other) {
        if (count == 0 || other.count == 0) {
            return count == 0 ? other : this;
        }
        return new LineSummary(
                count + other.count,
                tries + other.tries,
                alone + other.alone,
                needingItem + other.needingItem,
                uninformed + other.uninformed,
                notQueued + other.notQueued,
                untold + other.untold,
                stillWaiting + other.stillWaiting,
                earlier(gathersUntil, other.gathersUntil),
                shorter(shortestWait, other.shortestWait));
    }

    private static @Nullable Moment earlier(@Nullable Moment one, @Nullable Moment other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Moment.earlier(one, other);
    }

    private static @Nullable Duration shorter(@Nullable Duration one, @Nullable Duration other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Durations.shorter(one, other);
    }
}
