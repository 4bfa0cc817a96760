package io.dynamolock.internal.time;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keeps what may happen again and again from filling a log. Lives on the event loop. */
public final class OncePerMinute {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TimeSource time;

    /** When something was run last; {@code null} before the first time. */
    private @Nullable Moment last;

    public OncePerMinute(TimeSource time) {
        this.time = time;
    }

    /** Runs this, unless that was done less than a minute ago. */
    public void run(Runnable log) {
        Moment now = time.moment();
        if (last == null || now.since(last).compareTo(MINUTE) >= 0) {
            last = now;
            log.run();
        }
    }
}
