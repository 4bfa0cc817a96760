package io.dynamolock.internal.threads;

import io.dynamolock.internal.time.Jitter;
import java.time.Duration;

/**
 * How long to pause before a repetition: the pause doubles with each failure in a row, up to a limit. A random part is
 * taken off, so that callers that failed together do not come back together. A formula without a state: the caller
 * counts its failures. The engine's {@code Backoff}, for calls to the store, remembers its pause and when that ends.
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
