package io.dynamolock.internal.elections;

import io.dynamolock.internal.engine.EventLoop;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long an election pauses after a failure. */
public interface ElectionPauses {

    /**
     * Runs the step later, on the event loop; never if the registry is closed.
     *
     * @param failures how many there were in a row, at least 1
     */
    void after(int failures, Runnable step);

    /** Pauses that double from 100 ms to 12.8 s, less a random part of up to a quarter. */
    static ElectionPauses on(EventLoop loop, RandomGenerator random) {
        // The randomness belongs to the event loop.
        return (failures, step) -> loop.execute(() -> {
            Duration longest = Duration.ofMillis(100L << Math.min(failures - 1, 7));
            long nanos = longest.toNanos();
            loop.schedule(step, Duration.ofNanos(nanos - (long) (nanos * 0.25 * random.nextDouble())));
        });
    }
}
