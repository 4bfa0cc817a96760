package io.dynamolock.simulation;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.Acquisition;
import io.dynamolock.engine.EngineListener;
import io.dynamolock.engine.EngineSettings;
import io.dynamolock.engine.EventLoop;
import io.dynamolock.engine.Grant;
import io.dynamolock.engine.LockEngine;
import io.dynamolock.engine.LossReason;
import io.dynamolock.engine.TimeSource;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;

/** The real engine on virtual time, in a process that can freeze, die and have a wrong clock. */
public final class SimulatedProcess implements EngineListener {

    public static final EngineSettings SETTINGS = new EngineSettings(
            "process",
            Duration.ofSeconds(20),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofMillis(50),
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ofMinutes(5),
            Duration.ofSeconds(4),
            32,
            Duration.ofDays(7));

    public final LockEngine engine;
    public final List<String> events = new ArrayList<>();

    /** What was heard of the callers of each name. */
    public final Map<String, List<String>> heard = new HashMap<>();

    private final VirtualTime time;
    private final String name;
    private final Queue<Runnable> held = new ArrayDeque<>();
    private Duration wallOffset = Duration.ZERO;
    private boolean frozen;
    private boolean dead;

    public SimulatedProcess(String name, VirtualTime time, LockStore store, EngineSettings settings, long seed) {
        this.time = time;
        this.name = name;
        EngineSettings named = new EngineSettings(
                name,
                settings.lease(),
                settings.heartbeat(),
                settings.driftMargin(),
                settings.pollMin(),
                settings.pollMax(),
                settings.lockDelay(),
                settings.maxClockSkew(),
                settings.callTimeout(),
                settings.maxCallsInFlight(),
                settings.retention());
        SplittableRandom random = new SplittableRandom(seed);
        engine = new LockEngine(named, store, new Loop(), new Clock(), random, this::run, this);
    }

    public Acquisition acquire(LockKey key, Duration wait) {
        return acquire(new AcquireSpec(key, "test", wait, null, null));
    }

    public Acquisition acquire(AcquireSpec spec) {
        return engine.acquire(spec);
    }

    /** Acquires and returns the grant, which must come within a minute. */
    public Grant hold(LockKey key) {
        return grantOf(acquire(key, Duration.ofMinutes(1)));
    }

    public Grant grantOf(Acquisition acquisition) {
        time.advanceUntil(() -> acquisition.outcome().isDone(), Duration.ofMinutes(2));
        if (acquisition.outcome().getNow(null) instanceof AcquireOutcome.Granted granted) {
            return granted.grant();
        }
        throw new AssertionError("not granted: " + acquisition.outcome());
    }

    public void freeze() {
        frozen = true;
    }

    public void thaw() {
        frozen = false;
        while (!held.isEmpty()) {
            run(held.remove());
        }
    }

    public void kill() {
        dead = true;
    }

    public boolean isDead() {
        return dead;
    }

    public void moveWallClock(Duration by) {
        wallOffset = wallOffset.plus(by);
    }

    public String name() {
        return name;
    }

    private void run(Runnable step) {
        time.schedule(() -> step(step), Duration.ZERO);
    }

    private void step(Runnable step) {
        if (frozen) {
            held.add(step);
        } else if (!dead) {
            step.run();
        }
    }

    private final class Loop implements EventLoop {

        private boolean stopped;

        @Override
        public boolean execute(Runnable step) {
            if (stopped) {
                return false;
            }
            run(step);
            return true;
        }

        @Override
        public Timer schedule(Runnable step, Duration delay) {
            boolean[] cancelled = new boolean[1];
            time.schedule(
                    () -> SimulatedProcess.this.step(() -> {
                        if (!cancelled[0] && !stopped) {
                            step.run();
                        }
                    }),
                    delay);
            return () -> cancelled[0] = true;
        }

        @Override
        public void shutdown() {
            stopped = true;
        }
    }

    private final class Clock implements TimeSource {

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public Instant now() {
            return time.now().plus(wallOffset);
        }
    }

    private void hear(AcquireSpec spec, String event) {
        heard.computeIfAbsent(spec.name(), absent -> new ArrayList<>()).add(event);
    }

    @Override
    public void queued(AcquireSpec spec, long number, long ahead) {
        hear(spec, "queued");
        events.add("queued behind " + ahead);
    }

    @Override
    public void acquired(AcquireSpec spec, long number, Duration waited, boolean wasQueued) {
        hear(spec, "acquired");
        events.add("acquired");
    }

    @Override
    public void timedOut(AcquireSpec spec, Duration waited) {
        hear(spec, "timedOut");
        events.add("timed out after " + waited);
    }

    @Override
    public void abandoned(AcquireSpec spec, Duration waited) {
        hear(spec, "abandoned");
        events.add("abandoned");
    }

    @Override
    public void released(AcquireSpec spec, long number, Duration held) {
        hear(spec, "released");
        events.add("released");
    }

    @Override
    public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
        hear(spec, "lost");
        events.add("lost: " + reason);
    }

    @Override
    public void sessionStarted(SessionId session) {
        events.add("session started");
    }

    @Override
    public void sessionLost(SessionId session) {
        events.add("session lost");
    }

    @Override
    public void storeCallFailed(String operation, StoreFailure failure) {
        events.add("failed: " + operation);
    }
}
