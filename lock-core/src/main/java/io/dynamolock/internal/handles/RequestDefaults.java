package io.dynamolock.internal.handles;

import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.ReleaseTerms;
import java.time.Duration;

/**
 * What a registry says where a request is silent.
 *
 * @param waitTime how long a caller waits for its lock
 * @param awaitRelease whether the end of a locked section waits until the lock is released in the table
 * @param stay how long the entry of a released lock may stay in the queue, if nobody awaits the release
 */
public record RequestDefaults(Duration waitTime, boolean awaitRelease, Duration stay) {

    /**
     * Maximum stay. Other processes wait as long as an entry stays, although nobody holds the lock, so it must be short
     * beside any wait.
     */
    public static final Duration LONGEST_STAY = Duration.ofMillis(50);

    public RequestDefaults withWait(Duration other) {
        return new RequestDefaults(other, awaitRelease, stay);
    }

    /** How the hold of this request is to end. After a release that its caller awaits, nothing stays. */
    ReleaseTerms release(LockRequest request) {
        return request.awaitRelease().orElse(awaitRelease)
                ? ReleaseTerms.AWAITED
                : new ReleaseTerms(false, request.stay().orElse(stay));
    }
}
