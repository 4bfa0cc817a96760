package io.dynamolock.internal.time;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keeps a message that may come again and again from filling the log. Lives on the event loop. */
public final class OncePerMinute {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TimeSource time;

    /** When an action was run last; {@code null} before the first. */
    private @Nullable Moment last;

    public OncePerMinute(TimeSource time) {
        this.time = time;
    }

    /** Runs the action, unless one was run less than a minute ago. */
    public void run(Runnable log) {
        Moment now = time.moment();
        if (last == null || now.since(last).compareTo(MINUTE) >= 0) {
            last = now;
            log.run();
        }
    }
}
