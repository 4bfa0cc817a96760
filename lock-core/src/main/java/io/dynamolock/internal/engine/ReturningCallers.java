package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Callers that want a lock again soon after they have released it. Whether callers do so is learnt from the callers
 * before them. Lives on the event loop.
 */
final class ReturningCallers {

    /**
     * A caller that comes within this time after a release counts as one that comes back. If a call to the store takes
     * longer than this, the time of a call counts instead.
     */
    private static final Duration SOON = Duration.ofMillis(5);

    /** The number of releases lately. With each release, earlier releases count for less. */
    private double releases;

    /** The number of callers that came back after these releases. With each release, earlier returns count for less. */
    private double returns;

    /**
     * How many callers have released the lock and have not come back. Counts only as long as the last release was soon
     * ago ({@link #SOON}).
     */
    private int away;

    /** When the lock was released last; {@code null} before the first release. */
    private @Nullable Moment lastRelease;

    void arrived(Moment now, Duration meanCall) {
        if (isSoon(now, meanCall)) {
            returns++;
            away = Math.max(0, away - 1);
        }
    }

    void released(Moment now, Duration meanCall) {
        away = isSoon(now, meanCall) ? away + 1 : 1;
        releases = releases * 7 / 8 + 1;
        returns = returns * 7 / 8;
        lastRelease = now;
    }

    /**
     * How many callers will probably want the lock again soon. If most callers have come back lately: all that are
     * releasing the lock or have just released it. Otherwise none.
     */
    int expected(int releasing, Moment now, Duration meanCall) {
        if (returns <= releases / 2) {
            return 0;
        }
        return releasing + (isSoon(now, meanCall) ? away : 0);
    }

    private boolean isSoon(Moment now, Duration meanCall) {
        return lastRelease != null && now.since(lastRelease).compareTo(Durations.longer(meanCall, SOON)) <= 0;
    }
}
