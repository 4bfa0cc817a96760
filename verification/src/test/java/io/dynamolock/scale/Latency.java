package io.dynamolock.scale;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a call to the virtual table takes, as its caller sees it: log-normal, with a few stragglers.
 *
 * @param median the median of the calls without stragglers
 * @param sigma the spread of the logarithm: the 99th percentile is {@code median * exp(2.33 * sigma)}
 * @param stragglers the share of calls that take longer for another reason, such as a new connection
 * @param straggling the longest additional time of a straggler
 */
record Latency(Duration median, double sigma, double stragglers, Duration straggling) {

    /** A strongly consistent read: median 4 ms, 99th percentile 16 ms. */
    static final Latency READ = new Latency(Duration.ofMillis(4), 0.595, 0.001, Duration.ofMillis(200));

    /** A conditional write: median 5 ms, 99th percentile 20 ms. */
    static final Latency WRITE = new Latency(Duration.ofMillis(5), 0.595, 0.001, Duration.ofMillis(200));

    Duration sample(RandomGenerator random) {
        double nanos = median.toNanos() * Math.exp(sigma * random.nextGaussian());
        if (random.nextDouble() < stragglers) {
            nanos += straggling.toNanos() * random.nextDouble();
        }
        return Duration.ofNanos((long) nanos);
    }
}
