package io.dynamolock.internal.engine;

import io.dynamolock.internal.engine.LineSummary.Property;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The waiters without a slot for which one edit can append, in the order of arrival, in groups that share an entry. An
 * edit has one number of permits, and either needs the item to exist or may make it. Good until the line changes. Lives
 * on the event loop.
 */
final class Unserved {

    /**
     * Neighbours in the line that share an entry; at least one.
     *
     * @param permits 0 if they want no permits
     * @param lastArrival the arrival number of the last one
     */
    record Group(Mode mode, int permits, long lastArrival, LineSummary waiters) {

        int size() {
            return waiters.count();
        }

        boolean areTries() {
            return waiters.tries() == waiters.count();
        }
    }

    /** The next waiter of each lane that has one, by place. */
    private final Map<Lane, Integer> next = new HashMap<>();

    /** The edit appends for no waiter that has this arrival number or a greater one. */
    private long end = Long.MAX_VALUE;

    Unserved(WaitingLine line, Serving serving, LockItem item) {
        for (Lane lane : line.lanes()) {
            int place = serving.firstUnserved(lane);
            if (place < lane.order().end()) {
                next.put(lane, place);
            }
        }
        Lane firstForPermits = nextLane(true, null);
        if (firstForPermits != null) {
            next.keySet().removeIf(lane -> lane.permits() > 0 && lane.permits() != firstForPermits.permits());
        }
        Lane first = nextLane(false, null);
        if (first != null && !item.exists()) {
            // A waiter that makes the item makes it for the waiters that come after it.
            WaitingCaller waiter = first.order().at(place(first));
            boolean firstNeedsItem = waiter != null && waiter.spec().onlyIfExists();
            next.forEach((lane, place) -> {
                ArrivalOrder order = lane.order();
                WaitingCaller other = order.at(
                        firstNeedsItem
                                ? order.next(Property.NEEDS_NO_ITEM, place)
                                : order.next(Property.NEEDS_ITEM, place));
                end = other == null ? end : Math.min(end, other.arrival());
            });
        }
        next.keySet().removeIf(lane -> nextArrival(lane) >= end);
    }

    boolean isEmpty() {
        return next.isEmpty();
    }

    /** The lane of the next waiter; {@code null} if there is none. */
    @Nullable
    Lane nextLane() {
        return nextLane(false, null);
    }

    private @Nullable Lane nextLane(boolean forPermits, @Nullable Lane except) {
        Lane first = null;
        for (Lane lane : next.keySet()) {
            boolean counts = lane != except && (!forPermits || lane.permits() > 0);
            if (counts && (first == null || nextArrival(lane) < nextArrival(first))) {
                first = lane;
            }
        }
        return first;
    }

    private int place(Lane lane) {
        return next.getOrDefault(lane, lane.order().end());
    }

    private long nextArrival(Lane lane) {
        WaitingCaller waiter = lane.order().at(place(lane));
        return waiter == null ? Long.MAX_VALUE : waiter.arrival();
    }

    /** Takes the next group; there must be one. */
    Group take(Lane lane) {
        ArrivalOrder order = lane.order();
        int from = place(lane);
        int to = placeBehindGroup(lane, from);
        LineSummary waiters = order.summary(from, to);
        WaitingCaller last = order.at(order.find(Property.ANY, from, waiters.count()));
        int rest = order.next(Property.ANY, to);
        next.put(lane, rest);
        if (nextArrival(lane) >= end) {
            next.remove(lane);
        }
        return new Group(lane.mode(), lane.permits(), last == null ? 0 : last.arrival(), waiters);
    }

    private int placeBehindGroup(Lane lane, int from) {
        ArrivalOrder order = lane.order();
        int alone = order.next(Property.ALONE, from);
        if (alone == from) {
            return from + 1;
        }
        Lane other = nextLane(false, lane);
        long endOfGroup = other == null ? end : Math.min(end, nextArrival(other));
        int to = endOfGroup == Long.MAX_VALUE ? order.end() : order.placeFrom(endOfGroup);
        int full = 1 + order.find(Property.ANY, from, Entry.OfSession.mostSlots(1));
        return Math.min(Math.min(to, alone), Math.min(full, order.end()));
    }
}
