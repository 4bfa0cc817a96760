package io.dynamolock.sample;

import java.time.Duration;

/** Doing nothing for a while. */
public final class Pause {

    private Pause() {}

    /** An interrupt ends it early, and is kept for the next call that blocks. */
    public static void of(Duration length) {
        try {
            Thread.sleep(length.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
