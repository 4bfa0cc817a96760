package io.dynamolock.scale;

import io.dynamolock.engine.EngineSettings;
import io.dynamolock.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.List;

/** The locks that are compared. */
enum Contestant {
    DYNAMOLOCK("DynamoLock"),
    ARTICLE("article"),
    LOCK_CLIENT("AWS lock client"),
    /** Ours, with the next in line looking five times as often. */
    DYNAMOLOCK_EAGER("DynamoLock, `poll.min` 10 ms");

    /** Those compared everywhere, each with its defaults. */
    static final List<Contestant> ALL = List.of(DYNAMOLOCK, ARTICLE, LOCK_CLIENT);

    private static final EngineSettings EAGER = eager(SimulatedProcess.SETTINGS);

    private final String title;

    Contestant(String title) {
        this.title = title;
    }

    LockSystem start(VirtualTable table, int processes, long seed) {
        return switch (this) {
            case DYNAMOLOCK -> new DynamoLockSystem(table, processes, SimulatedProcess.SETTINGS, seed);
            case DYNAMOLOCK_EAGER -> new DynamoLockSystem(table, processes, EAGER, seed);
            case ARTICLE -> new ArticleSystem(table, processes, seed);
            case LOCK_CLIENT -> new LockClientSystem(table, processes, seed);
        };
    }

    private static EngineSettings eager(EngineSettings settings) {
        return new EngineSettings(
                settings.owner(),
                settings.lease(),
                settings.heartbeat(),
                settings.driftMargin(),
                Duration.ofMillis(10),
                settings.pollMax(),
                settings.lockDelay(),
                settings.maxClockSkew(),
                settings.callTimeout(),
                settings.maxCallsInFlight(),
                settings.retention());
    }

    @Override
    public String toString() {
        return title;
    }
}
