package io.dynamolock.test;

import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.process.PausableEngine;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockStore;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Duration;

/** Another process that shares the locks with the code under test: an engine of its own on the same store. Thread-safe. */
final class OtherProcess {

    static final String NAME = "another process";

    /** Hears nothing. A proxy, because a listener may get to hear of more. */
    private static final EngineListener DEAF = (EngineListener) Proxy.newProxyInstance(
            EngineListener.class.getClassLoader(),
            new Class<?>[] {EngineListener.class},
            (listener, method, arguments) -> null);

    private final MovableTime time;
    private final EventLoop loop;
    private final LockEngine engine;

    OtherProcess(EngineSettings settings, LockStore store, MovableTime time) {
        this.time = time;
        this.loop = new MovableLoop(time);
        this.engine = new PausableEngine(ofAnother(settings), store, loop, time, new SecureRandom(), DEAF);
    }

    private static EngineSettings ofAnother(EngineSettings same) {
        return new EngineSettings(
                NAME,
                same.lease(),
                same.heartbeat(),
                same.driftMargin(),
                same.pollMin(),
                same.pollMax(),
                same.lockDelay(),
                same.maxClockSkew(),
                same.callTimeout(),
                same.maxCallsInFlight(),
                same.retention(),
                same.maxQueue());
    }

    /** Takes the lock if it is free. */
    Situation occupy(LockKey key) {
        return until(taken(key));
    }

    /** Takes the lock if it is free, and gives it back after a while. */
    Situation occupy(LockKey key, Duration length) {
        Acquisition taken = taken(key);
        loop.schedule(taken::abandon, length);
        return until(taken);
    }

    private Acquisition taken(LockKey key) {
        Acquisition asked = ask(key, Duration.ZERO);
        time.awaitQuiet();
        AcquireOutcome outcome = asked.outcome().getNow(null);
        if (!(outcome instanceof AcquireOutcome.Granted)) {
            asked.abandon();
            String holder = outcome instanceof AcquireOutcome.TimedOut late && late.holder() != null
                    ? " It is held by " + late.holder().owner() + "."
                    : "";
            throw new IllegalStateException("Another process cannot take " + WatchedEngine.describe(key)
                    + " because it is not free." + holder + " Occupy it before the code under test asks for it.");
        }
        return asked;
    }

    /** Takes the lock, or stands in the queue behind those who have it or wait for it. */
    Situation queue(LockKey key) {
        Acquisition asked = ask(key, AcquireSpec.FOREVER);
        time.awaitQuiet();
        return until(asked);
    }

    /** With an entry of its own. */
    private Acquisition ask(LockKey key, Duration wait) {
        return engine.acquire(new AcquireSpec(key, "test", wait, null, null, Kind.WRITE, 0, false, ""));
    }

    private Situation until(Acquisition asked) {
        return new Situation(() -> {
            asked.abandon();
            time.awaitQuiet();
        });
    }

    /** Gives up all it has. */
    void close() {
        engine.shutdown();
        time.awaitQuiet();
    }
}
