package io.dynamolock.internal.engine;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** The pause after a failure: twice as long as the one before, until something succeeds. Lives on the event loop. */
final class Backoff {

    private final Duration first;
    private Duration pause = Duration.ZERO;
    private long until;

    Backoff(Duration first) {
        this.first = first;
    }

    void begin(Duration longest, long nanos) {
        pause = Collections.min(List.of(longest, pause.isZero() ? first : pause.multipliedBy(2)));
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
