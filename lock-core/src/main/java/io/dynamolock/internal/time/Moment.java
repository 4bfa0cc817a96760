package io.dynamolock.internal.time;

import java.time.Duration;
import java.util.Comparator;

/**
 * A moment by the monotonic clock of this machine. Only the time between two moments means anything, so moments are
 * compared by their difference, which is right even where the clock's number wraps around.
 *
 * @param nanos what the clock said, as {@link System#nanoTime()}
 */
public record Moment(long nanos) {

    /** From the earlier moment to the later one. */
    public static final Comparator<Moment> ORDER =
            (one, other) -> one.isBefore(other) ? -1 : other.isBefore(one) ? 1 : 0;

    public Moment plus(Duration time) {
        return new Moment(nanos + time.toNanos());
    }

    /** The time from the earlier moment to this one; negative if the other moment is the later one. */
    public Duration since(Moment earlier) {
        return Duration.ofNanos(nanos - earlier.nanos);
    }

    public boolean isBefore(Moment other) {
        return nanos - other.nanos < 0;
    }

    public static Moment later(Moment one, Moment other) {
        return one.isBefore(other) ? other : one;
    }

    public static Moment earlier(Moment one, Moment other) {
        return other.isBefore(one) ? other : one;
    }
}
