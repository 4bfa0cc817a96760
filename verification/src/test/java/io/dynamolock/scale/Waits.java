package io.dynamolock.scale;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Durations, and their percentiles.
 *
 * @param sorted ascending, in nanoseconds
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
record Waits(long[] sorted) {

    static Waits of(List<Duration> durations) {
        long[] nanos = durations.stream().mapToLong(Duration::toNanos).toArray();
        Arrays.sort(nanos);
        return new Waits(nanos);
    }

    /** @param share 0.99 for the 99th percentile */
    Duration percentile(double share) {
        if (sorted.length == 0) {
            return Duration.ZERO;
        }
        int rank = (int) Math.ceil(share * sorted.length);
        return Duration.ofNanos(sorted[Math.max(0, rank - 1)]);
    }

    Duration longest() {
        return percentile(1);
    }
}
