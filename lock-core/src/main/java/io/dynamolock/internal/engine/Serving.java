package io.dynamolock.internal.engine;

import io.dynamolock.internal.engine.LineSummary.Property;
import io.dynamolock.internal.protocol.LockItem;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which own entries will serve which waiters, if no more waiters come: the first entry that can serve a waiter does. So
 * the entries serve the first waiters of each {@link Lane}. Good until the line or an entry changes. Lives on the event
 * loop.
 */
final class Serving {

    /** The waiters of a lane at the places from one on, and before another one. */
    private record Served(Lane lane, int from, int to) {

        int count() {
            return lane.order().count(Property.ANY, to) - lane.order().count(Property.ANY, from);
        }
    }

    private final WaitingLine line;
    private final LockItem item;
    private final Map<OwnEntry, Served> served = new HashMap<>();

    /** The place behind the last waiter that is served, by lane. Lanes without such a waiter may be missing. */
    private final Map<Lane, Integer> ends = new HashMap<>();

    /** @param entries in the order of the queue */
    Serving(Collection<OwnEntry> entries, WaitingLine line, LockItem item) {
        this.line = line;
        this.item = item;
        entries.forEach(this::serve);
    }

    private void serve(OwnEntry entry) {
        if (entry.slotsLeft() > 0) {
            // Only waiters for permits have several lanes, and an entry serves only one of such waiters.
            line.lanes(entry.mode(), item)
                    .filter(lane -> nextArrival(lane).isPresent())
                    .min((one, other) -> Long.compare(
                            nextArrival(one).orElseThrow(), nextArrival(other).orElseThrow()))
                    .ifPresent(lane -> serve(entry, lane));
        }
    }

    private Optional<Long> nextArrival(Lane lane) {
        WaitingCaller next = lane.order().at(firstUnserved(lane));
        return next == null ? Optional.empty() : Optional.of(next.arrival());
    }

    private void serve(OwnEntry entry, Lane lane) {
        ArrivalOrder order = lane.order();
        int from = firstUnserved(lane);
        long last = entry.lastArrivalServed();
        int to = last == Long.MAX_VALUE ? order.end() : order.placeFrom(last + 1);
        // The slots are used up by so many waiters, or by one that needs the entry for itself.
        to = Math.min(to, 1 + order.find(Property.ANY, from, entry.slotsLeft()));
        to = Math.min(to, 1 + order.next(Property.ALONE, from));
        if (from < to) {
            served.put(entry, new Served(lane, from, to));
            ends.put(lane, to);
        }
    }

    /** The place of the first waiter of the lane that no entry will serve; behind all waiters if there is none. */
    int firstUnserved(Lane lane) {
        return lane.order().next(Property.ANY, ends.getOrDefault(lane, 0));
    }

    /** How many waiters the entry will serve. */
    int countBy(OwnEntry entry) {
        Served byEntry = served.get(entry);
        return byEntry == null ? 0 : byEntry.count();
    }

    /** The waiters that the entry will serve, in the order of arrival. */
    List<WaitingCaller> by(OwnEntry entry) {
        Served byEntry = served.get(entry);
        return byEntry == null ? List.of() : byEntry.lane().order().between(byEntry.from(), byEntry.to());
    }
}
