package io.dynamolock.internal.engine;

import java.time.Duration;

/** Settings of engines: a test names those that it is about. */
public final class TestSettings {

    private TestSettings() {}

    static EngineSettings of(Duration lease) {
        return of(lease, Duration.ofSeconds(4), 32);
    }

    static EngineSettings of(Duration lease, Duration callTimeout, int maxCalls) {
        return of("process", lease, callTimeout, maxCalls, 200);
    }

    /** A heartbeat is due after a quarter of the lease, and the margin is a twelfth of the lease. */
    public static EngineSettings of(String owner, Duration lease, Duration callTimeout, int maxCalls, int maxQueue) {
        return new EngineSettings(
                owner,
                lease,
                lease.dividedBy(4),
                lease.dividedBy(12),
                Duration.ofMillis(10),
                Duration.ofSeconds(1),
                Duration.ZERO,
                callTimeout,
                maxCalls,
                Duration.ofDays(7),
                maxQueue);
    }
}
