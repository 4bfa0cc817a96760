package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * How callers of this process share entries and writes: for how long callers wait for each other before an entry is
 * appended for them (gathering), and which slots are appended or kept for callers that probably come soon (spare
 * slots). All that this depends on is learnt here from what has happened to the lock. Nothing else decides on it. Lives
 * on the event loop.
 */
final class Batching {

    /** A waiter is held back for others for at most this long. */
    private static final Duration LONGEST_GATHERING = Duration.ofMillis(50);

    /** A waiter is held back for others for at most this part of the time that it is willing to wait. */
    private static final int PART_OF_WAIT = 4;

    /**
     * Gathering that goes on lasts at least this long: without a minimum the same question would come again and again.
     */
    private static final Duration SHORTEST_GATHERING = Duration.ofMillis(1);

    /** A spare slot in the queue is kept this long for a caller that may come back. */
    private static final Duration SPARE_PATIENCE = Duration.ofMillis(50);

    /**
     * After a waiter has given up, its slot may serve another caller that comes within this time. Without that,
     * processes whose callers wait for a moment again and again stand in each other's way: each caller is gone when the
     * lock comes to it.
     */
    private static final Duration AFTER_GIVING_UP = Duration.ofMillis(5);

    private final ReturningCallers returning = new ReturningCallers();

    /** Mean time of a call to the store; zero before the first answer. */
    private Duration meanCall = Duration.ZERO;

    /** Mean time from a grant to its release; zero before the first release. */
    private Duration meanSection = Duration.ZERO;

    /** When a caller that was willing to wait gave up last; {@code null} before the first. */
    private @Nullable Moment lastGaveUp;

    /** Whether the engine stops, so that nobody comes back. Set once. */
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

    void gaveUp(Waiter waiter, Moment now) {
        if (!waiter.isTry()) {
            lastGaveUp = now;
        }
    }

    void close() {
        isClosed = true;
    }

    private static Duration mean(Duration mean, Duration next) {
        return mean.isZero() ? next : mean.multipliedBy(7).plus(next).dividedBy(8);
    }

    // What follows from it

    /**
     * How much longer these waiters are held back for others that may come; zero for not at all.
     *
     * @param waiters the waiters that need slots, in the order of their arrival; at least one
     */
    Duration gathering(Collection<Waiter> waiters, Moment now) {
        return atLeastShortest(untilFirstEnds(waiters, now));
    }

    /**
     * The same where this process is alone in the queue. The answer to the append is to come when the slots of the turn
     * are used up; if these are used up before any answer could come, the write that ends the turn takes the waiters
     * along.
     *
     * @param slots how many waiters the turn still serves
     */
    Duration gatheringAlone(Collection<Waiter> waiters, int slots, Moment now) {
        Duration turn = meanSection.multipliedBy(slots);
        boolean endsSoon = turn.plus(meanSection).compareTo(meanCall) < 0;
        Duration untilAppend = endsSoon ? meanCall : turn.minus(meanCall);
        return atLeastShortest(Durations.shorter(untilFirstEnds(waiters, now), untilAppend));
    }

    private static Duration untilFirstEnds(Collection<Waiter> waiters, Moment now) {
        return waiters.stream()
                .map(waiter -> gathersUntil(waiter).since(now))
                .min(Duration::compareTo)
                .orElseThrow();
    }

    private static Duration atLeastShortest(Duration rest) {
        boolean isOver = rest.isNegative() || rest.isZero();
        return isOver ? Duration.ZERO : Durations.longer(SHORTEST_GATHERING, rest);
    }

    /** When a waiter is no longer held back for others. A caller that does not wait is not held back at all. */
    private static Moment gathersUntil(Waiter waiter) {
        Duration partOfWait = waiter.spec().waitLimit().dividedBy(PART_OF_WAIT);
        return waiter.arrivedAt().plus(Durations.shorter(LONGEST_GATHERING, partOfWait));
    }

    /**
     * How many callers that have just released the lock, or are releasing it, will probably want it again soon: slots
     * for them at the end of a turn cost no write.
     */
    int spareSlots(int releasing, Moment now) {
        return isClosed ? 0 : returning.expected(releasing, now, meanCall);
    }

    /**
     * Until when an entry with free slots, which serves nobody and waits in the queue, is kept for callers that may
     * come.
     */
    Moment spareUntil(OwnEntry entry, Moment now) {
        if (entry.mode() == Mode.SHARED || entry.slotsLeft() == 0) {
            return now;
        }
        Moment forOthers = lastGaveUp == null ? now : lastGaveUp.plus(AFTER_GIVING_UP);
        return entry.hasSpare() ? Moment.later(forOthers, entry.sentAt().plus(SPARE_PATIENCE)) : forOthers;
    }
}
