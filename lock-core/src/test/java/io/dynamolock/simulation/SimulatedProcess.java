package io.dynamolock.simulation;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.Acquisition;
import io.dynamolock.engine.Grant;
import io.dynamolock.engine.LockEngine;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.engine.Unheard;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.store.LockStore;
import java.time.Duration;
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
            Duration.ofMillis(20),
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ofMinutes(5),
            Duration.ofSeconds(4),
            32,
            Duration.ofDays(7),
            200);

    public final LockEngine engine;
    public final List<String> events = new ArrayList<>();

    /** What was heard of the callers of each name. */
    public final Map<String, List<String>> heard = new HashMap<>();

    private final VirtualTime time;
    private final String name;
    private final SimulatedClock clock;
    private final EngineListener witness;
    /** What the process still has to do, in the order in which it came. */
    private final Queue<Runnable> inbox = new ArrayDeque<>();

    /** Turns of the event loop that came while it was frozen. */
    private int missedTurns;

    /** How many steps of the event loop are being run, one within the other. */
    private int stepsOfLoop;

    private final Loop loop = new Loop();
    private Duration perStep = Duration.ZERO;
    private long busyUntil;
    private long stalled;
    private long frozenSince;
    private boolean frozen;
    private boolean dead;

    public SimulatedProcess(String name, VirtualTime time, LockStore store, EngineSettings settings, long seed) {
        this(name, time, new SimulatedClock(time), store, settings, seed, new Unheard(), Twist.NONE);
    }

    /** @param witness hears what the process hears, after it */
    SimulatedProcess(
            String name,
            VirtualTime time,
            SimulatedClock clock,
            LockStore store,
            EngineSettings settings,
            long seed,
            EngineListener witness,
            Twist twist) {
        this.time = time;
        this.name = name;
        this.clock = clock;
        this.witness = witness;
        SplittableRandom random = new SplittableRandom(seed);
        EventLoop itsLoop = twist.loop(loop);
        TimeSource itsClock = twist.clock(clock);
        engine = LockEngine.on(
                twist.settings(settings.ownedBy(name)),
                twist.store(store, itsLoop, itsClock),
                itsLoop,
                itsClock,
                random,
                this::run,
                twist.listener(this));
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

    /** The event loop stands still; other threads of the process may run. */
    public void freeze() {
        if (!frozen) {
            frozen = true;
            frozenSince = time.nanos();
        }
    }

    public void thaw() {
        clock.goOn();
        if (frozen) {
            frozen = false;
            stalled += time.nanos() - frozenSince;
        }
        for (; missedTurns > 0; missedTurns--) {
            takeTurn();
        }
    }

    /** The whole machine stands still until it thaws, and its monotonic clock with it. */
    void pauseMachine() {
        freeze();
        clock.standStill();
    }

    public boolean isFrozen() {
        return frozen;
    }

    /** From now on each step of the event loop takes so long. */
    void slow(Duration eachStep) {
        perStep = eachStep;
    }

    /** For how long, all in all, the event loop has kept steps waiting. */
    long stalledNanos() {
        return stalled + (frozen ? time.nanos() - frozenSince : 0);
    }

    /** Whether steps of the event loop still wait for those before. */
    boolean isBusy() {
        return busyUntil > time.nanos();
    }

    SimulatedClock clock() {
        return clock;
    }

    /** How many timers of the event loop are neither cancelled nor due. */
    public int timers() {
        return loop.timers;
    }

    /** Runs the step after all that the event loop has to do now. */
    public void afterAll(Runnable step) {
        run(step);
    }

    /** Runs the step on the event loop after a delay by the process's own clock, as the engine's timers do. */
    public EventLoop.Timer later(Runnable step, Duration delay) {
        return loop.schedule(step, delay);
    }

    public void kill() {
        dead = true;
    }

    public boolean isDead() {
        return dead;
    }

    public void moveWallClock(Duration by) {
        clock.moveWallClock(by);
    }

    public String name() {
        return name;
    }

    private void run(Runnable step) {
        inbox.add(step);
        takeTurn();
    }

    private void loopDoes(Runnable step) {
        stepsOfLoop++;
        try {
            step.run();
        } finally {
            stepsOfLoop--;
        }
    }

    private void takeTurn() {
        long wait = 0;
        if (!perStep.isZero() || busyUntil > time.nanos()) {
            busyUntil = Math.max(busyUntil, time.nanos()) + perStep.toNanos();
            wait = busyUntil - time.nanos();
            stalled += wait;
        }
        time.schedule(this::turn, Duration.ofNanos(wait));
    }

    private void atTheThaw(Runnable step) {
        inbox.add(step);
        missedTurns++;
    }

    private void turn() {
        if (frozen) {
            missedTurns++;
        } else if (!dead) {
            inbox.remove().run();
        }
    }

    private final class Loop implements EventLoop {

        private boolean stopped;
        private int timers;

        @Override
        public boolean execute(Runnable step) {
            if (stopped) {
                return false;
            }
            run(() -> loopDoes(step));
            return true;
        }

        @Override
        public Timer schedule(Runnable step, Duration delay) {
            LoopTimer timer = new LoopTimer(step, clock.nanos() + Math.max(0, delay.toNanos()));
            timers++;
            timer.await(Math.max(0, delay.toNanos()));
            return timer;
        }

        @Override
        public boolean isCurrent() {
            return stepsOfLoop > 0;
        }

        @Override
        public void shutdown() {
            stopped = true;
        }

        private final class LoopTimer implements Timer {

            private final Runnable step;
            private final long due;
            private boolean over;

            LoopTimer(Runnable step, long due) {
                this.step = step;
                this.due = due;
            }

            void await(long nanos) {
                time.schedule(this::onTime, Duration.ofNanos(clock.untilCounted(nanos)));
            }

            private void onTime() {
                if (over) {
                    return;
                }
                long rest = due - clock.nanos();
                if (rest > 0 && !dead) {
                    if (frozen) {
                        atTheThaw(this::onTime);
                    } else {
                        await(rest);
                    }
                } else if (frozen) {
                    atTheThaw(this::fire);
                } else if (perStep.isZero() && busyUntil <= time.nanos()) {
                    if (!dead) {
                        fire();
                    }
                } else {
                    run(this::fire);
                }
            }

            private void fire() {
                if (!over && !stopped) {
                    end();
                    loopDoes(step);
                }
            }

            @Override
            public void cancel() {
                end();
            }

            private void end() {
                if (!over) {
                    over = true;
                    timers--;
                }
            }
        }
    }

    private void hear(AcquireSpec spec, String event) {
        heard.computeIfAbsent(spec.name(), absent -> new ArrayList<>()).add(event);
    }

    @Override
    public void queued(AcquireSpec spec, long number, long ahead) {
        hear(spec, "queued");
        events.add("queued behind " + ahead);
        witness.queued(spec, number, ahead);
    }

    @Override
    public void acquired(AcquireSpec spec, long number, Duration waited, boolean wasQueued) {
        hear(spec, "acquired");
        events.add("acquired");
        witness.acquired(spec, number, waited, wasQueued);
    }

    @Override
    public void timedOut(AcquireSpec spec, Duration waited) {
        hear(spec, "timedOut");
        events.add("timed out after " + waited);
        witness.timedOut(spec, waited);
    }

    @Override
    public void evicted(AcquireSpec spec, Duration waited) {
        hear(spec, "evicted");
        events.add("evicted after " + waited);
        witness.evicted(spec, waited);
    }

    @Override
    public void abandoned(AcquireSpec spec, Duration waited) {
        hear(spec, "abandoned");
        events.add("abandoned");
        witness.abandoned(spec, waited);
    }

    @Override
    public void released(AcquireSpec spec, long number, Duration held) {
        hear(spec, "released");
        events.add("released");
        witness.released(spec, number, held);
    }

    @Override
    public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
        hear(spec, "lost");
        events.add("lost: " + reason);
        witness.lost(spec, number, held, reason);
    }

    @Override
    public void sessionStarted(SessionId session) {
        events.add("session started");
        witness.sessionStarted(session);
    }

    @Override
    public void sessionLost(SessionId session) {
        events.add("session lost");
        witness.sessionLost(session);
    }

    @Override
    public void storeCallFailed(String operation, StoreFailure failure) {
        events.add("failed: " + operation);
        witness.storeCallFailed(operation, failure);
    }
}
