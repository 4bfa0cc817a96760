package io.dynamolock.internal.engine;

import java.time.Duration;
import java.util.SplittableRandom;

/** Settings of engines: a test names those that it is about. */
public final class TestSettings {

    private TestSettings() {}

    static EngineSettings of(Duration lease) {
        return of(lease, Duration.ofSeconds(4), 32);
    }

    static EngineSettings of(Duration lease, Duration callTimeout, int maxCalls) {
        return of("process", lease, callTimeout, maxCalls, 200);
    }

    /**
     * A heartbeat is due after a quarter of the lease, and the margin is a twelfth of the lease. The polling interval
     * is the default.
     */
    public static EngineSettings of(String owner, Duration lease, Duration callTimeout, int maxCalls, int maxQueue) {
        return new EngineSettings(
                owner,
                lease,
                lease.dividedBy(4),
                lease.dividedBy(12),
                Duration.ofMillis(5),
                Duration.ofMillis(250),
                Duration.ZERO,
                callTimeout,
                maxCalls,
                Duration.ofDays(7),
                maxQueue);
    }

    /**
     * Settings as the rules for them allow, unlike those of other processes.
     *
     * @param longestLease the lease is at least three eighths of this
     * @param callTimeout the longest that there may be
     */
    static EngineSettings random(String owner, Duration longestLease, Duration callTimeout, SplittableRandom random) {
        Duration lease = longestLease.multipliedBy(random.nextLong(3, 9)).dividedBy(8);
        return new EngineSettings(
                owner,
                lease,
                lease.dividedBy(random.nextLong(3, 9)),
                lease.dividedBy(random.nextLong(4, 13)),
                Duration.ofMillis(random.nextLong(1, 100)),
                Duration.ofMillis(random.nextLong(100, lease.toMillis())),
                Duration.ofMillis(random.nextBoolean() ? 0 : random.nextLong(3_000)),
                callTimeout.multipliedBy(random.nextLong(4, 11)).dividedBy(10),
                random.nextInt(1, 50),
                Duration.ofDays(random.nextLong(1, 30)),
                random.nextBoolean() ? random.nextInt(2, 10) : 200);
    }

    /** These settings with another polling interval. */
    static EngineSettings polling(Duration min, Duration max, EngineSettings settings) {
        return new EngineSettings(
                settings.owner(),
                settings.lease(),
                settings.heartbeat(),
                settings.driftMargin(),
                min,
                max,
                settings.lockDelay(),
                settings.callTimeout(),
                settings.maxCallsInFlight(),
                settings.retention(),
                settings.maxQueue());
    }

    /** These settings with another retention. */
    static EngineSettings retaining(Duration retention, EngineSettings settings) {
        return new EngineSettings(
                settings.owner(),
                settings.lease(),
                settings.heartbeat(),
                settings.driftMargin(),
                settings.pollMin(),
                settings.pollMax(),
                settings.lockDelay(),
                settings.callTimeout(),
                settings.maxCallsInFlight(),
                retention,
                settings.maxQueue());
    }
}
