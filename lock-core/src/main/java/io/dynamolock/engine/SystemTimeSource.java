package io.dynamolock.engine;

import java.time.Instant;

/** The clocks of this machine; nothing else in the project reads them. */
enum SystemTimeSource implements TimeSource {
    INSTANCE;

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }
}
