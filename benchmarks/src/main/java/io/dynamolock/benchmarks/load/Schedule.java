package io.dynamolock.benchmarks.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Starts of sections at an even pace, whether earlier sections have ended or not. Thread-safe. Times are of
 * {@link System#nanoTime}.
 */
final class Schedule {

    private final long first;
    private final long paceNanos;
    private final AtomicLong taken = new AtomicLong();

    /** @param pace more than zero */
    Schedule(long first, Duration pace) {
        this.first = first;
        this.paceNanos = pace.toNanos();
    }

    /**
     * Takes the next start that nobody has taken, and waits for it unless it has passed.
     *
     * @return that start
     */
    long await() throws InterruptedException {
        long start = take();
        TimeUnit.NANOSECONDS.sleep(start - System.nanoTime());
        return start;
    }

    /** The next start that nobody has taken. */
    long take() {
        return first + taken.getAndIncrement() * paceNanos;
    }

    /** How many starts there are from the first moment on and before the second. */
    long startsWithin(long from, long to) {
        return startsBefore(to) - startsBefore(from);
    }

    private long startsBefore(long moment) {
        return Math.max(0, -Math.floorDiv(first - moment, paceNanos));
    }
}
