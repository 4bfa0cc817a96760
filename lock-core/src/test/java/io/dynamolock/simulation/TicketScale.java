package io.dynamolock.simulation;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Small numbers for tickets. Those of one item keep their distances; items that were removed and came again are moved
 * together, in their order.
 */
final class TicketScale {

    private static final long FIRST = 1_000_000;
    private static final long APART = 10_000;

    private record Run(long first, long last, long shownAs) {}

    private final TreeMap<Long, Run> runs = new TreeMap<>();

    /** A new item starts from there. */
    void begins(long base) {
        Run below = at(base);
        if (runs.isEmpty()) {
            runs.put(base, new Run(base, base, FIRST));
        } else if (below == null) {
            runs.put(base, new Run(base, base, runs.firstEntry().getValue().shownAs() - APART));
        } else if (base > below.last()) {
            boolean isLatest = below == runs.lastEntry().getValue();
            runs.put(base, new Run(base, base, show(below.last()) + (isLatest ? APART : 1)));
        }
    }

    long show(long ticket) {
        Run run = at(ticket);
        if (run == null) {
            return 0;
        }
        runs.put(run.first(), new Run(run.first(), Math.max(run.last(), ticket), run.shownAs()));
        return run.shownAs() + ticket - run.first();
    }

    private @Nullable Run at(long ticket) {
        Map.Entry<Long, Run> entry = runs.floorEntry(ticket);
        return entry == null ? null : entry.getValue();
    }
}
