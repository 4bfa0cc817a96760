package io.dynamolock.internal.engine;

import io.dynamolock.internal.engine.LineSummary.Property;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this process that wait for one lock, in the order in which they came. A caller is in the line from its
 * arrival until it is granted the lock or its wait ends in another way ({@link EndOfWaits}).
 *
 * <p><b>What a crowd costs.</b> One key may have hundreds of thousands of waiters, and all locks of a process share one
 * event loop. So what happens to one waiter must not take longer because others wait. Whoever asks the line gets counts
 * and first waiters from ordered indexes, in logarithmic time. A method that goes through waiters goes only through
 * those about which something is new, and each waiter is gone through a few times in its life. Only {@link #inOrder}
 * looks at everybody, for events that end all waits. Lives on the event loop.
 */
final class WaitingLine {

    private static final Comparator<WaitingCaller> BY_AGE =
            Comparator.comparing(WaitingCaller::arrivedAt, Moment.ORDER).thenComparing(Lane.BY_ARRIVAL);

    /** What {@link Lane}s are told apart by. */
    private record Sort(Mode mode, int permits) {

        static Sort of(WaitingCaller waiter) {
            return new Sort(waiter.mode(), waiter.spec().permits());
        }
    }

    /** Every waiter is in one lane. No lane is empty. Nearly always there are one or two. */
    private final Map<Sort, Lane> lanes = new LinkedHashMap<>();

    /** The waiters that no answer counts for, by the moments at which they came. */
    private final NavigableSet<WaitingCaller> unanswered = new TreeSet<>(BY_AGE);

    /** The waiters that have not seen the item since they came, by the moments at which they came. */
    private final NavigableSet<WaitingCaller> uninformed = new TreeSet<>(BY_AGE);

    void add(WaitingCaller waiter) {
        lanes.computeIfAbsent(Sort.of(waiter), sort -> new Lane(sort.mode(), sort.permits()))
                .add(waiter);
        if (!waiter.isAnswered()) {
            unanswered.add(waiter);
        }
        if (!waiter.hasSeenItem()) {
            uninformed.add(waiter);
        }
    }

    void remove(WaitingCaller waiter) {
        Lane lane = laneOf(waiter);
        if (lane != null) {
            lane.remove(waiter);
            unanswered.remove(waiter);
            uninformed.remove(waiter);
            if (lane.isEmpty()) {
                lanes.remove(Sort.of(waiter));
            }
        }
    }

    void clear() {
        lanes.clear();
        unanswered.clear();
        uninformed.clear();
    }

    boolean isEmpty() {
        return lanes.isEmpty();
    }

    boolean contains(WaitingCaller waiter) {
        return laneOf(waiter) != null;
    }

    private @Nullable Lane laneOf(WaitingCaller waiter) {
        Lane lane = lanes.get(Sort.of(waiter));
        return lane != null && lane.order().contains(waiter) ? lane : null;
    }

    /** All waiters in the order of arrival, as they are now. Takes longer than linear time. */
    List<WaitingCaller> inOrder() {
        return lanes.values().stream()
                .flatMap(lane -> lane.order().all().stream())
                .sorted(Lane.BY_ARRIVAL)
                .toList();
    }

    /** The callers that do not wait, in the order of arrival within their lanes. */
    List<WaitingCaller> tries() {
        return lanes.values().stream().flatMap(lane -> lane.tries().stream()).toList();
    }

    Collection<Lane> lanes() {
        return Collections.unmodifiableCollection(lanes.values());
    }

    /** The lanes of the waiters that an entry of this mode may serve. */
    Stream<Lane> lanes(Mode mode, LockItem item) {
        return lanes.values().stream().filter(lane -> lane.mode() == mode && !lane.wantsOtherPermitsThan(item));
    }

    /** The first waiter that the entry may serve once it holds the lock. */
    Optional<WaitingCaller> firstFor(OwnEntry entry, LockItem item) {
        return first(entry, item, Property.ANY);
    }

    /** The first waiter that the entry may serve, and that was not told yet that it has a slot. */
    Optional<WaitingCaller> firstUntoldFor(OwnEntry entry, LockItem item) {
        return first(entry, item, Property.NOT_QUEUED);
    }

    private Optional<WaitingCaller> first(OwnEntry entry, LockItem item, Property property) {
        return lanes(entry.mode(), item)
                .map(lane -> lane.order().at(lane.order().next(property, 0)))
                .filter(Objects::nonNull)
                .min(Lane.BY_ARRIVAL)
                .filter(waiter -> waiter.arrival() <= entry.lastArrivalServed());
    }

    boolean wants(Mode mode) {
        return lanes.values().stream().anyMatch(lane -> lane.mode() == mode);
    }

    /** Whether a caller that {@linkplain WaitingCaller#isTry() does not wait} has not seen the item since it came. */
    boolean hasUninformedTry() {
        return lanes.values().stream().anyMatch(Lane::hasUninformedTry);
    }

    /** The callers that do wait, and whose time is not over, if they came before this one. */
    Earlier stillWaitingBefore(WaitingCaller waiter) {
        int count = 0;
        int inMode = 0;
        for (Lane lane : lanes.values()) {
            int earlier = before(lane, Property.STILL_WAITING, waiter);
            count += earlier;
            inMode += lane.mode() == waiter.mode() ? earlier : 0;
        }
        return new Earlier(count, inMode == count);
    }

    /**
     * Waiters that came earlier than another one.
     *
     * @param areInSameMode whether all of them want the lock in the same mode as the other one
     */
    record Earlier(int count, boolean areInSameMode) {

        static final Earlier NOBODY = new Earlier(0, true);
    }

    /** How many callers came before this one. Callers that do not wait are not counted. */
    long waitingBefore(WaitingCaller waiter) {
        return lanes.values().stream()
                .mapToLong(lane -> before(lane, Property.ANY, waiter) - before(lane, Property.TRY, waiter))
                .sum();
    }

    private static int before(Lane lane, Property property, WaitingCaller waiter) {
        return lane.order().count(property, lane.order().placeFrom(waiter.arrival()));
    }

    /** The shortest wait of the callers here, as each has asked for it. Callers that do not wait do not count. */
    Optional<Duration> shortestWait() {
        return lanes.values().stream()
                .map(lane -> lane.order().summary().shortestWait())
                .filter(Objects::nonNull)
                .reduce(Durations::shorter);
    }

    /** Of the waiters whose time is over, the one whose time was over first. */
    Optional<WaitingCaller> firstOverdue() {
        return lanes.values().stream()
                .flatMap(lane -> Stream.of(Lane.Overdue.values()).map(lane::overdue))
                .filter(waiters -> !waiters.isEmpty())
                .map(NavigableSet::first)
                .min(Lane.BY_END);
    }

    /** The store has answered a call that was sent at this moment. */
    void answered(Moment sentAt) {
        takeThatCameBy(sentAt, unanswered, (lane, waiter) -> lane.answered(waiter, sentAt));
    }

    /** The store's answer to a call that was sent at this moment has shown the item. */
    void shown(Moment sentAt, boolean isConsistent) {
        answered(sentAt);
        if (isConsistent) {
            takeThatCameBy(sentAt, uninformed, (lane, waiter) -> lane.itemShown(waiter, sentAt));
        }
    }

    private void takeThatCameBy(
            Moment sentAt, NavigableSet<WaitingCaller> waiters, BiConsumer<Lane, WaitingCaller> step) {
        while (!waiters.isEmpty() && !sentAt.isBefore(waiters.first().arrivedAt())) {
            WaitingCaller waiter = waiters.first();
            waiters.remove(waiter);
            step.accept(Objects.requireNonNull(laneOf(waiter)), waiter);
        }
    }

    /** The caller's time is over. */
    void timeIsOver(WaitingCaller waiter) {
        Lane lane = laneOf(waiter);
        if (lane != null) {
            lane.timeIsOver(waiter);
        }
    }

    /** The caller was told that it has a slot. */
    void queued(WaitingCaller waiter) {
        Objects.requireNonNull(laneOf(waiter)).queued(waiter);
    }

    /** The caller was told that the queue is full. */
    void foundFull(WaitingCaller waiter) {
        Objects.requireNonNull(laneOf(waiter)).foundFull(waiter);
    }
}
