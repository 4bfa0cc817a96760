package io.dynamolock.internal.engine;

import java.time.Duration;

/**
 * What a caller has asked for about the end of its hold.
 *
 * @param isAwaited whether the end of a locked section waits until the release is written. Explicit releases,
 *     by a handle or a thread lock, are awaited in any case
 * @param stay for how long after a release that nobody awaits the entry may stay in the queue, so that a caller of this
 *     process that comes back has the lock without a call; zero if it may not stay
 */
public record ReleaseTerms(boolean isAwaited, Duration stay) {

    /** The release is awaited, and so nothing stays. */
    public static final ReleaseTerms AWAITED = new ReleaseTerms(true, Duration.ZERO);
}
