package io.dynamolock.sample;

import java.time.Duration;

/** A pause of the calling thread. */
public final class Pause {

    private Pause() {}

    /** An interrupt ends the pause early. The interrupt flag is kept, for the next call that blocks. */
    public static void of(Duration length) {
        try {
            Thread.sleep(length.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
