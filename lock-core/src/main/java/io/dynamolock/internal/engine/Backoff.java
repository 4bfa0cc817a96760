package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;

/**
 * The pause of the engine after a failed call: it doubles with each failure in a row, up to a limit, and a success ends
 * it. It remembers the latest pause and when that ends. {@code GrowingPause} of the package {@code threads} is for code
 * outside the engine that counts its failures itself: it remembers nothing, and only computes how long a pause is.
 * Lives on the event loop.
 */
final class Backoff {

    /** The first pause after a failed call, but for the beginning of a session, whose failures have longer pauses. */
    static final Duration SHORTEST = Duration.ofMillis(10);

    private final Duration first;

    /** The latest pause; zero if nothing has failed since the last success. */
    private Duration pause = Duration.ZERO;

    /** When the latest pause ends; never if nothing has failed since the last success. */
    private Deadline end = Deadline.NEVER;

    Backoff(Duration first) {
        this.first = first;
    }

    /** Something has failed. */
    void begin(Duration longest, Moment now) {
        Duration next = pause.isZero() ? first : pause.multipliedBy(2);
        pause = Durations.shorter(longest, next);
        end = Deadline.at(now.plus(pause));
    }

    /** Something has succeeded. */
    void end() {
        pause = Duration.ZERO;
        end = Deadline.NEVER;
    }

    /** The length of the latest pause; zero if nothing has failed since the last success. */
    Duration pause() {
        return pause;
    }

    boolean isUnderWay(Moment now) {
        return !end.isNever() && !end.isPast(now);
    }

    /** When the pause ends, or has ended; never if there is none. */
    Deadline until() {
        return end;
    }
}
