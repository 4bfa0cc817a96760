package io.dynamolock.internal.engine;

import java.time.Duration;

/** The pause after a failure: twice as long as the one before, until something succeeds. Lives on the event loop. */
final class Backoff {

    private final Duration first;
    private Duration pause = Duration.ZERO;
    private long until;

    Backoff(Duration first) {
        this.first = first;
    }

    void begin(Duration longest, long nanos) {
        Duration next = pause.isZero() ? first : pause.multipliedBy(2);
        pause = next.compareTo(longest) < 0 ? next : longest;
        until = nanos + pause.toNanos();
    }

    void end() {
        pause = Duration.ZERO;
    }

    boolean isUnderWay(long nanos) {
        return !pause.isZero() && nanos - until < 0;
    }

    /** When it is over, by the monotonic clock. */
    long until() {
        return until;
    }
}
