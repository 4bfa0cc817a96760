package io.dynamolock.internal.elections;

import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.threads.GrowingPause;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** How an election pauses after a failure. */
public interface ElectionPauses {

    /**
     * Runs the step later, on the event loop; never if the registry is closed before.
     *
     * @param failures how many failures there were in a row, at least 1
     */
    void after(int failures, Runnable step);

    /** Pauses that double from 100 ms to 12.8 s, less a random part of up to a quarter. */
    static ElectionPauses on(EventLoop loop, RandomGenerator random) {
        GrowingPause pause = new GrowingPause(Duration.ofMillis(100), 7, 0.25);
        // The source of randomness is confined to the event loop.
        return (failures, step) -> loop.execute(() -> loop.schedule(step, pause.after(failures, random.nextDouble())));
    }
}
