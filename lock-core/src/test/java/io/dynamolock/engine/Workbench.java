package io.dynamolock.engine;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.simulation.VirtualTime;
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
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** One process's clocks, event loop and store, to try single parts of the engine on. Virtual time, no latency. */
final class Workbench {

    static final LockKey KEY = new LockKey("order-17", "default");
    static final EngineSettings SETTINGS = new EngineSettings(
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
            Duration.ofDays(7),
            200);

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
        return new EngineContext(settings, store, loop, clock, new Unjittered(), heard);
    }

    /** Runs a step on the loop, ahead of those that wait. */
    void run(Runnable step) {
        loop.run(step);
    }

    /** What a step on the loop finds. */
    <T> T get(Supplier<T> step) {
        List<T> found = new ArrayList<>();
        loop.run(() -> found.add(step.get()));
        return found.get(0);
    }

    static SessionId sessionId(long number) {
        return SessionId.of(number);
    }

    static BlockId block(SessionId session, long number) {
        return new BlockId(session, number);
    }

    /** A session of another process begins. */
    void begin(SessionId id, Duration lease) {
        table.take(id, new SessionStep.Begin(lease, "owner", time.now()), time.now());
    }

    void beat(SessionId id, long number) {
        table.take(id, new SessionStep.Beat(number, Set.of(), time.now()), time.now());
    }

    void end(SessionId id) {
        table.take(id, new SessionStep.End(), time.now());
    }

    Set<Dispute> disputes(SessionId id) {
        return table.session(id).map(SessionItem::disputes).orElse(Set.of());
    }

    /** The block stands last in the queue from now on. */
    Entry ask(BlockId block, int callers) {
        Entry entry = new Entry(block, callers);
        table.take(KEY, new Step.Ask(entry, 1, 200), time.now());
        return entry;
    }

    void leave(BlockId block) {
        int index = table.lock(KEY).indexOf(block);
        table.take(KEY, Step.Leave.of(index, table.lock(KEY).queue().get(index)), time.now());
    }

    boolean stands(BlockId block) {
        return table.lock(KEY).indexOf(block) >= 0;
    }

    /** Ids are random, delays are not. */
    private static final class Unjittered implements RandomGenerator {

        private final SplittableRandom ids = new SplittableRandom(7);

        @Override
        public long nextLong() {
            return ids.nextLong();
        }

        @Override
        public double nextDouble() {
            return 0;
        }
    }

    /** Those of the simulated processes, but for what a test is about. */
    static final class Settings {

        private Duration lease = SETTINGS.lease();
        private Duration lockDelay = SETTINGS.lockDelay();
        private Duration maxClockSkew = SETTINGS.maxClockSkew();
        private Duration callTimeout = SETTINGS.callTimeout();
        private Duration heartbeat = SETTINGS.heartbeat();
        private Duration driftMargin = SETTINGS.driftMargin();
        private Duration retention = SETTINGS.retention();
        private int maxCallsInFlight = SETTINGS.maxCallsInFlight();

        Settings lease(Duration to) {
            lease = to;
            return this;
        }

        Settings heartbeat(Duration to) {
            heartbeat = to;
            return this;
        }

        Settings driftMargin(Duration to) {
            driftMargin = to;
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

        Settings retention(Duration to) {
            retention = to;
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
                    driftMargin,
                    SETTINGS.pollMin(),
                    SETTINGS.pollMax(),
                    lockDelay,
                    maxClockSkew,
                    callTimeout,
                    maxCallsInFlight,
                    retention,
                    SETTINGS.maxQueue());
        }
    }

    /** The clocks of the process. Its wall clock can be set. */
    final class Clock implements TimeSource {

        private Duration wallOffset = Duration.ZERO;
        private Duration frozen = Duration.ZERO;
        private Runnable meanwhile = () -> {};

        void moveWallClock(Duration by) {
            wallOffset = wallOffset.plus(by);
        }

        /** Both clocks go on, and nothing happens in the process: no timer runs. */
        void freeze(Duration howLong) {
            frozen = frozen.plus(howLong);
            moveWallClock(howLong);
        }

        /** Happens on another thread just before the time is asked for next. */
        void meanwhile(Runnable what) {
            meanwhile = what;
        }

        @Override
        public long nanos() {
            Runnable first = meanwhile;
            meanwhile = () -> {};
            first.run();
            return time.nanos() + frozen.toNanos();
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
        private boolean current;
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
            time.schedule(() -> run(step), Duration.ZERO);
            return true;
        }

        private void run(Runnable step) {
            boolean within = current;
            current = true;
            try {
                step.run();
            } finally {
                current = within;
            }
        }

        @Override
        public boolean isCurrent() {
            return current;
        }

        @Override
        public Timer schedule(Runnable step, Duration delay) {
            Object timer = new Object();
            timers.add(timer);
            Timer scheduled = time.schedule(
                    () -> {
                        if (timers.remove(timer) && !stopped) {
                            run(step);
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
        public void evicted(AcquireSpec spec, Duration waited) {
            events.add("evicted after " + waited);
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
