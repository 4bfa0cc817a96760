package io.dynamolock.internal.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Callers that have released a lock and soon want it again: whether they do is learnt from those before them. Lives on the event loop.
 */
final class ReturningCallers {

    /** Who comes within this time of a release, or of a call if that takes longer, counts as one who comes back. */
    private static final Duration SOON = Duration.ofMillis(5);

    private double releases;
    private double returns;
    private int away;
    private @Nullable Long lastRelease;

    void arrived(long nanos, Duration meanCall) {
        if (isSoon(nanos, meanCall)) {
            returns++;
            away = Math.max(0, away - 1);
        }
    }

    void released(long nanos, Duration meanCall) {
        away = isSoon(nanos, meanCall) ? away + 1 : 1;
        releases = releases * 7 / 8 + 1;
        returns = returns * 7 / 8;
        lastRelease = nanos;
    }

    /** How many will probably want the lock again soon: those who are releasing it, or have just done so, if callers come back as a rule. */
    int expected(int releasing, long nanos, Duration meanCall) {
        return returns <= releases / 2 ? 0 : releasing + (isSoon(nanos, meanCall) ? away : 0);
    }

    private boolean isSoon(long nanos, Duration meanCall) {
        return lastRelease != null && nanos - lastRelease <= Math.max(meanCall.toNanos(), SOON.toNanos());
    }
}
