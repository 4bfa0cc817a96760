package io.dynamolock.benchmarks.peer;

import io.dynamolock.benchmarks.peer.LockProcess.HeldLock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for a lock that has no wait of its own, by trying again and again at an even interval. */
final class Poll {

    /** The interval of Spring Cloud AWS, and about that of hand-written loops. */
    static final Duration USUAL = Duration.ofMillis(100);

    private Poll() {}

    static @Nullable HeldLock until(Supplier<@Nullable HeldLock> attempt, Duration interval, Duration wait)
            throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            HeldLock held = attempt.get();
            long left = deadline - System.nanoTime();
            if (held != null || left <= 0) {
                return held;
            }
            TimeUnit.NANOSECONDS.sleep(Math.min(left, interval.toNanos()));
        }
    }
}
