package io.dynamolock.internal.threads;

import io.dynamolock.internal.time.Jitter;
import java.time.Duration;

/**
 * The pause before a repetition: it doubles with each failure in a row, up to a limit. A random part is taken off, so
 * that callers that failed together do not come back together.
 *
 * @param first the longest pause after the first failure
 * @param doublings how often the pause doubles before it stays the same
 * @param jitter the maximum part of the pause that is taken off, from 0 to 1
 */
public record GrowingPause(Duration first, int doublings, double jitter) {

    /**
     * The pause after this many failures.
     *
     * @param failures how many failures there were in a row, at least 1
     * @param random from 0 to 1
     */
    public Duration after(int failures, double random) {
        Duration longest = first.multipliedBy(1L << Math.min(failures - 1, doublings));
        return Jitter.shorten(longest, jitter, random);
    }
}
