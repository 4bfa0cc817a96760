package io.dynamolock.sample.rush;

import java.time.Duration;
import java.util.List;

/** How long orders waited for their turn, in milliseconds. */
public record WaitTimes(long medianMillis, long p99Millis, long maxMillis) {

    static WaitTimes of(List<Duration> waits) {
        List<Duration> sorted = waits.stream().sorted().toList();
        return new WaitTimes(percentile(sorted, 50), percentile(sorted, 99), percentile(sorted, 100));
    }

    /** The wait that this share of the orders did not exceed. */
    private static long percentile(List<Duration> sorted, int percent) {
        if (sorted.isEmpty()) {
            return 0;
        }
        int rank = (sorted.size() * percent + 99) / 100;
        return sorted.get(rank - 1).toMillis();
    }
}
