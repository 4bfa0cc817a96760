package io.dynamolock.internal.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps a message that may come again and again from filling the log. Thread-safe. */
public final class OncePerMinute {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TimeSource time;

    /** When an action was run last; {@code null} before the first. */
    private final AtomicReference<@Nullable Moment> last = new AtomicReference<>();

    public OncePerMinute(TimeSource time) {
        this.time = time;
    }

    /** Runs the action, unless one was run less than a minute ago. */
    public void run(Runnable log) {
        Moment now = time.moment();
        Moment before = last.get();
        boolean isDue = before == null || now.since(before).compareTo(MINUTE) >= 0;
        if (isDue && last.compareAndSet(before, now)) {
            log.run();
        }
    }
}
