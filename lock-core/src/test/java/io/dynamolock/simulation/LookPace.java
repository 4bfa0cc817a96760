package io.dynamolock.simulation;

import java.time.Duration;

/**
 * How often one process may look at one lock: once in the shortest poll interval, sooner only for a caller whose wait
 * would end otherwise, and once more for each thing that happened.
 */
final class LookPace {

    private static final double SHORTENED_BY_JITTER = 0.74;
    private static final int LOOKS_OF_A_WAIT = 4;
    private static final long AFTER_A_FAILURE = 300_000_000;
    private static final long SHORTEST = 1_000_000;
    /** After a pause some may come at once. */
    private static final double SAVED_BY_TIME = 4;

    private static final double MOST_SAVED = 100;

    private final long interval;
    private long last;
    private double saved = SAVED_BY_TIME;
    private boolean begun;

    LookPace(Duration interval) {
        this.interval = Math.min(interval.toNanos(), AFTER_A_FAILURE);
    }

    void allowOne() {
        saved = Math.min(MOST_SAVED, saved + 1);
    }

    /** False if it comes too soon. */
    boolean look(long now, Duration shortestWait) {
        long ofWait = Math.max(SHORTEST, shortestWait.dividedBy(LOOKS_OF_A_WAIT).toNanos());
        double least = SHORTENED_BY_JITTER * Math.min(interval, ofWait);
        if (begun) {
            saved = Math.max(saved, Math.min(SAVED_BY_TIME, saved + (now - last) / least));
        }
        begun = true;
        last = now;
        saved -= 1;
        return saved >= 0;
    }
}
