package io.dynamolock.engine;

import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.simulation.VirtualTime;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.memory.InMemoryLockStore;
import io.dynamolock.store.testing.CountingLockStore;
import io.dynamolock.store.testing.FaultyLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/** One process's clocks, event loop and store, to try single parts of the engine on. Virtual time, no latency. */
final class Workbench {

    static final LockKey KEY = Cluster.KEY;
    static final EngineSettings SETTINGS = SimulatedProcess.SETTINGS;

    final VirtualTime time = new VirtualTime();
    final InMemoryLockStore table = new InMemoryLockStore(time::now);
    final FaultyLockStore faults = new FaultyLockStore(table);
    final CountingLockStore store = new CountingLockStore(faults);
    final Clock clock = new Clock();
    final Loop loop = new Loop();
    final Heard heard = new Heard();

    EngineContext context() {
        return context(SETTINGS);
    }

    EngineContext context(EngineSettings settings) {
        return new EngineContext(
                settings, store, loop, clock, new SplittableRandom(7), heard, new Grants(loop::execute));
    }

    LockEngine engine() {
        return engine(SETTINGS);
    }

    LockEngine engine(EngineSettings settings) {
        return new LockEngine(settings, store, loop, clock, new SplittableRandom(7), loop::execute, heard);
    }

    static SessionId sessionId(long number) {
        return new SessionId(new UUID(0, number));
    }

    static final class Settings {

        private Duration lease = SETTINGS.lease();
        private Duration lockDelay = SETTINGS.lockDelay();
        private Duration maxClockSkew = SETTINGS.maxClockSkew();
        private Duration callTimeout = SETTINGS.callTimeout();
        private Duration heartbeat = SETTINGS.heartbeat();
        private int maxCallsInFlight = SETTINGS.maxCallsInFlight();

        Settings lease(Duration to) {
            lease = to;
            return this;
        }

        Settings heartbeat(Duration to) {
            heartbeat = to;
            return this;
        }

        Settings lockDelay(Duration to) {
            lockDelay = to;
            return this;
        }

        Settings maxClockSkew(Duration to) {
            maxClockSkew = to;
            return this;
        }

        Settings callTimeout(Duration to) {
            callTimeout = to;
            return this;
        }

        Settings maxCallsInFlight(int to) {
            maxCallsInFlight = to;
            return this;
        }

        EngineSettings build() {
            return new EngineSettings(
                    SETTINGS.owner(),
                    lease,
                    heartbeat,
                    SETTINGS.driftMargin(),
                    SETTINGS.pollMin(),
                    SETTINGS.pollMax(),
                    lockDelay,
                    maxClockSkew,
                    callTimeout,
                    maxCallsInFlight,
                    SETTINGS.retention());
        }
    }

    /** The clocks of the process. Its wall clock can be set. */
    final class Clock implements TimeSource {

        private Duration wallOffset = Duration.ZERO;

        void moveWallClock(Duration by) {
            wallOffset = wallOffset.plus(by);
        }

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public Instant now() {
            return time.now().plus(wallOffset);
        }
    }

    /** Knows which timers are neither run nor cancelled. */
    final class Loop implements EventLoop {

        private final Set<Object> timers = new HashSet<>();
        private Runnable meanwhile = () -> {};
        private boolean stopped;

        /** Happens on another thread just before the next step is handed in. */
        void meanwhile(Runnable what) {
            meanwhile = what;
        }

        @Override
        public boolean execute(Runnable step) {
            Runnable first = meanwhile;
            meanwhile = () -> {};
            first.run();
            if (stopped) {
                return false;
            }
            time.schedule(step, Duration.ZERO);
            return true;
        }

        @Override
        public Timer schedule(Runnable step, Duration delay) {
            Object timer = new Object();
            timers.add(timer);
            Timer scheduled = time.schedule(
                    () -> {
                        if (timers.remove(timer) && !stopped) {
                            step.run();
                        }
                    },
                    delay);
            return () -> {
                timers.remove(timer);
                scheduled.cancel();
            };
        }

        @Override
        public void shutdown() {
            stopped = true;
            timers.clear();
        }

        boolean isStopped() {
            return stopped;
        }

        /** How many timers wait for their time. */
        int timers() {
            return timers.size();
        }
    }

    /** Writes down what an engine tells. */
    static final class Heard implements EngineListener {

        final List<String> events = new ArrayList<>();

        @Override
        public void queued(AcquireSpec spec, long number, long ahead) {
            events.add("queued behind " + ahead);
        }

        @Override
        public void acquired(AcquireSpec spec, long number, Duration waited, boolean wasQueued) {
            events.add("acquired after " + waited + (wasQueued ? " in the queue" : ""));
        }

        @Override
        public void timedOut(AcquireSpec spec, Duration waited) {
            events.add("timed out after " + waited);
        }

        @Override
        public void abandoned(AcquireSpec spec, Duration waited) {
            events.add("abandoned after " + waited);
        }

        @Override
        public void released(AcquireSpec spec, long number, Duration held) {
            events.add("released after " + held);
        }

        @Override
        public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
            events.add("lost after " + held + ": " + reason);
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
}
