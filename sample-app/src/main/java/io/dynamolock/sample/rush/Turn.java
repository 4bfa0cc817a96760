package io.dynamolock.sample.rush;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * An order's turn.
 *
 * @param asked when the order came
 * @param begun when it got the lock and began
 */
record Turn(Instant asked, Instant begun) {

    Duration waited() {
        return Duration.between(asked, begun);
    }

    /**
     * How many of these turns began while another order that had come earlier was still waiting.
     *
     * @param margin how much earlier the other order must have come: orders of the same moment have no order
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
