package io.dynamolock.internal.testbed;

import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.NoOpEngineListener;
import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.process.PausableEngine;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockStore;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * Another process that shares the locks with the code under test: an engine of its own on the same store. Thread-safe.
 */
final class OtherProcess {

    static final String NAME = "another process";

    private final MovableTime time;
    private final EventLoop loop;
    private final LockEngine engine;

    OtherProcess(EngineSettings settings, LockStore store, MovableTime time) {
        this.time = time;
        this.loop = new MovableLoop(time);
        // No test hears of what this process does.
        this.engine = new PausableEngine(
                withOwnName(settings), store, loop, time, new SecureRandom(), new NoOpEngineListener());
    }

    private static EngineSettings withOwnName(EngineSettings settings) {
        return new EngineSettings(
                NAME,
                settings.lease(),
                settings.heartbeat(),
                settings.driftMargin(),
                settings.pollMin(),
                settings.pollMax(),
                settings.lockDelay(),
                settings.callTimeout(),
                settings.maxCallsInFlight(),
                settings.retention(),
                settings.maxQueue());
    }

    /**
     * Takes the lock. Like the other methods, returns what gives it up.
     *
     * @throws IllegalStateException if the lock is not free
     */
    Runnable occupy(LockKey key) {
        return leaving(taken(key));
    }

    /** As {@link #occupy(LockKey)}; gives the lock back after a time. */
    Runnable occupy(LockKey key, Duration length) {
        Acquisition held = taken(key);
        loop.schedule(held::abandon, length);
        return leaving(held);
    }

    private Acquisition taken(LockKey key) {
        Acquisition attempt = ask(key, Duration.ZERO);
        time.awaitQuiet();
        AcquireOutcome outcome = attempt.outcome().getNow(null);
        if (!(outcome instanceof AcquireOutcome.Granted)) {
            attempt.abandon();
            String holder = outcome instanceof AcquireOutcome.TimedOut late && late.holder() != null
                    ? " It is held by " + late.holder().owner() + "."
                    : "";
            throw new IllegalStateException("Another process cannot take " + LockDescription.of(key)
                    + " because it is not free." + holder + " Occupy it before the code under test asks for it.");
        }
        return attempt;
    }

    /** Takes the lock, or stands at the end of its queue. */
    Runnable queue(LockKey key) {
        Acquisition attempt = ask(key, AcquireSpec.FOREVER);
        time.awaitQuiet();
        return leaving(attempt);
    }

    /** As a writer, which has an entry of its own for each lock that it wants. */
    private Acquisition ask(LockKey key, Duration wait) {
        return engine.acquire(new AcquireSpec(key, "test", wait, null, null, Kind.WRITE, 0, false, ""));
    }

    private Runnable leaving(Acquisition attempt) {
        return () -> {
            attempt.abandon();
            time.awaitQuiet();
        };
    }

    /** Gives up every lock and every place in a queue. */
    void close() {
        engine.shutdown();
        time.awaitQuiet();
    }
}
