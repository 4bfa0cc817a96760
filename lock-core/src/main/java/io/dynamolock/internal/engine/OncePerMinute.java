package io.dynamolock.internal.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keeps what may happen again and again from filling a log. Lives on the event loop. */
public final class OncePerMinute {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TimeSource time;
    private @Nullable Long last;

    public OncePerMinute(TimeSource time) {
        this.time = time;
    }

    /** Runs this, unless that was done less than a minute ago. */
    public void run(Runnable log) {
        if (last == null || time.nanos() - last >= MINUTE.toNanos()) {
            last = time.nanos();
            log.run();
        }
    }
}
