package io.dynamolock.sample.rush;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * An order's turn.
 *
 * @param asked when it came
 * @param begun when it had its lock and began
 */
record Turn(Instant asked, Instant begun) {

    Duration waited() {
        return Duration.between(asked, begun);
    }

    /**
     * How many of these turns began while an order was waiting that had come earlier.
     *
     * @param margin how much earlier: two orders that come at the same moment have no order
     */
    static int overtakings(List<Turn> turns, Duration margin) {
        List<Turn> lastFirst = turns.stream()
                .sorted(Comparator.comparing(Turn::begun).reversed())
                .toList();
        int overtakings = 0;
        Instant earliestBehind = Instant.MAX;
        for (Turn turn : lastFirst) {
            if (turn.asked().minus(margin).isAfter(earliestBehind)) {
                overtakings++;
            }
            if (turn.asked().isBefore(earliestBehind)) {
                earliestBehind = turn.asked();
            }
        }
        return overtakings;
    }
}
