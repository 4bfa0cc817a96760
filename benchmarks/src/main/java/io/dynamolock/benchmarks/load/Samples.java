package io.dynamolock.benchmarks.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;

/** Durations in order of length. */
public final class Samples {

    private final long[] sortedNanos;

    private Samples(long[] sortedNanos) {
        this.sortedNanos = sortedNanos;
    }

    public static Samples of(Collection<Duration> durations) {
        return ofNanos(durations.stream().mapToLong(Duration::toNanos).toArray());
    }

    static Samples ofNanos(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new Samples(sorted);
    }

    public int size() {
        return sortedNanos.length;
    }

    /**
     * The smallest sample that at least this share of all samples does not exceed.
     *
     * @param percent more than 0, up to 100
     * @return in milliseconds; not a number if there are no samples
     */
    public double percentileMillis(double percent) {
        if (sortedNanos.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(percent / 100 * sortedNanos.length);
        return sortedNanos[Math.max(rank, 1) - 1] / 1e6;
    }

    public double medianMillis() {
        return percentileMillis(50);
    }

    /** Not a number if there are no samples. */
    public double meanMillis() {
        return Arrays.stream(sortedNanos).average().orElse(Double.NaN) / 1e6;
    }

    public double maxMillis() {
        return percentileMillis(100);
    }
}
