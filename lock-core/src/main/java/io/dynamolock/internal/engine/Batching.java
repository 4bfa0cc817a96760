package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How callers of this process share entries and writes: for how long callers wait for each other before an entry is
 * appended for them (gathering), and which slots are appended or kept for callers that will probably come soon (spare
 * slots). This class says for how long and how many. {@code NextWrite} says whether callers gather at all, and which
 * turns bring spare slots. The answers depend on how long calls and holds take and on how soon callers come back, which
 * this class learns from what happens to the lock. Lives on the event loop.
 */
final class Batching {

    /** A waiter is held back for others for at most this long. */
    private static final Duration LONGEST_GATHERING = Duration.ofMillis(50);

    /** A waiter is held back for others for at most the time that it is willing to wait, divided by this number. */
    private static final int PART_OF_WAIT = 4;

    /** From this wait on, a waiter is held back for {@link #LONGEST_GATHERING}. */
    private static final Duration LONG_WAIT = LONGEST_GATHERING.multipliedBy(PART_OF_WAIT);

    /**
     * If gathering goes on, then at least for this long. Without a minimum, the decision would be made again and again
     * after ever shorter times.
     */
    private static final Duration SHORTEST_GATHERING = Duration.ofMillis(1);

    /** How long a spare slot in the queue is kept for a caller that may come back. */
    private static final Duration SPARE_PATIENCE = Duration.ofMillis(50);

    /**
     * When a waiter has given up, its slot may serve another caller that comes within this time. Callers may wait for
     * just a moment, again and again. If each slot went with its caller, the lock would always come to a process whose
     * caller has just left.
     */
    private static final Duration AFTER_GIVING_UP = Duration.ofMillis(5);

    private final ReturningCallers returning = new ReturningCallers();

    /** Mean time of a call to the store; zero before the first answer. */
    private Duration meanCall = Duration.ZERO;

    /** Mean time from a grant to its release; zero before the first release. */
    private Duration meanSection = Duration.ZERO;

    /** When a wait ended without a grant last; {@code null} if none has. Callers that do not wait do not count. */
    private @Nullable Moment lastGaveUp;

    /** Whether the engine closes, so that nobody comes back. Set once. */
    private boolean isClosed;

    // What has happened

    void arrived(Moment now) {
        returning.arrived(now, meanCall);
    }

    void released(Moment now) {
        returning.released(now, meanCall);
    }

    void callTook(Duration time) {
        meanCall = mean(meanCall, time);
    }

    void sectionTook(Duration time) {
        meanSection = mean(meanSection, time);
    }

    void gaveUp(AcquireSpec spec, Moment now) {
        if (!spec.waitLimit().isZero()) {
            lastGaveUp = now;
        }
    }

    void close() {
        isClosed = true;
    }

    private static Duration mean(Duration mean, Duration next) {
        return mean.isZero() ? next : mean.multipliedBy(7).plus(next).dividedBy(8);
    }

    // What follows from what has happened

    /**
     * How much longer these waiters are held back, because others may come; zero for not at all.
     *
     * @param until the earliest of the moments {@link WaitingCaller#gathersUntil} of these waiters
     */
    Duration gathering(Moment until, Moment now) {
        return atLeastShortest(until.since(now));
    }

    /**
     * As {@link #gathering}, if this process is alone in the queue. The append is sent so early that its answer comes
     * when the slots of the turn are used up. If no answer could come that soon, the waiters are held back until the
     * write that ends the turn, which can append for them.
     *
     * @param slots how many waiters the turn will still serve
     */
    Duration gatheringAlone(Moment until, int slots, Moment now) {
        Duration turn = meanSection.multipliedBy(slots);
        boolean endsSoon = turn.plus(meanSection).compareTo(meanCall) < 0;
        Duration untilAppend = endsSoon ? meanCall : turn.minus(meanCall);
        return atLeastShortest(Durations.shorter(until.since(now), untilAppend));
    }

    private static Duration atLeastShortest(Duration rest) {
        boolean isOver = rest.isNegative() || rest.isZero();
        return isOver ? Duration.ZERO : Durations.longer(SHORTEST_GATHERING, rest);
    }

    /** Until when a waiter is held back for others. A caller that does not wait is not held back at all. */
    static Moment gathersUntil(AcquireSpec spec, Moment arrivedAt) {
        Duration wait = spec.waitLimit();
        // Most waits are long, and a duration is slow to divide.
        Duration gathering = wait.compareTo(LONG_WAIT) >= 0 ? LONGEST_GATHERING : wait.dividedBy(PART_OF_WAIT);
        return arrivedAt.plus(gathering);
    }

    /**
     * How many callers that have just released the lock, or are releasing it, will probably want it again soon. The
     * edit at the end of a turn can append slots for them at no extra cost.
     *
     * @param releasing how many callers go on only when their release is done, which it is not yet
     */
    int spareSlots(int releasing, Moment now) {
        return isClosed ? 0 : returning.expected(releasing, now, meanCall);
    }

    /**
     * Until when an entry that waits in the queue and serves nobody is left there, because its free slots may serve
     * callers that come soon. Not later than {@code now} if it is not left there.
     */
    Moment spareUntil(OwnEntry entry, Moment now) {
        if (entry.mode() == Mode.SHARED || entry.slotsLeft() == 0) {
            return now;
        }
        Moment forOthers = lastGaveUp == null ? now : lastGaveUp.plus(AFTER_GIVING_UP);
        return entry.hasSpare() ? Moment.later(forOthers, entry.sentAt().plus(SPARE_PATIENCE)) : forOthers;
    }
}
