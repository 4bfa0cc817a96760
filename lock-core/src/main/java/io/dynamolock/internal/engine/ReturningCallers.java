package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Callers that have released a lock and soon want it again: whether they do is learnt from callers before them. Lives
 * on the event loop.
 */
final class ReturningCallers {

    /**
     * A caller that comes within this time of a release, or of a call if that takes longer, counts as one that comes
     * back.
     */
    private static final Duration SOON = Duration.ofMillis(5);

    /** How many releases there were lately: each release makes earlier ones count for less. */
    private double releases;

    /** How many callers came back after these releases, counted alike. */
    private double returns;

    /**
     * How many callers have released the lock lately and have not come back; no longer true once the last release is
     * not lately.
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
     * How many callers will probably want the lock again soon: those that are releasing it, or have just done so, if
     * callers come back as a rule.
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
