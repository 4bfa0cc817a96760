package io.dynamolock.engine;

import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.simulation.VirtualTime;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.WriteResult;
import io.dynamolock.store.memory.InMemoryLockStore;
import io.dynamolock.store.testing.CountingLockStore;
import io.dynamolock.store.testing.FaultyLockStore;
import io.dynamolock.store.testing.InterceptedLockStore;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** One process's clocks, event loop and store, to try single parts of the engine on. Virtual time, no latency. */
final class Workbench {

    static final LockKey KEY = Cluster.KEY;
    static final EngineSettings SETTINGS = SimulatedProcess.SETTINGS;

    final VirtualTime time = new VirtualTime();
    final InMemoryLockStore table = new InMemoryLockStore(time::now);
    final FaultyLockStore faults = new FaultyLockStore(new RefusingStore());
    final CountingLockStore store = new CountingLockStore(faults);
    final Clock clock = new Clock();
    final Loop loop = new Loop();
    final Heard heard = new Heard();
    private Duration leaseOfStrangers = SETTINGS.lease();
    private boolean extensionsRefused;

    EngineContext context() {
        return context(SETTINGS);
    }

    EngineContext context(EngineSettings settings) {
        return new EngineContext(settings, store, loop, clock, new Unjittered(), heard, new Grants(loop::execute));
    }

    LockEngine engine() {
        return engine(SETTINGS);
    }

    LockEngine engine(EngineSettings settings) {
        return new LockEngine(settings, store, loop, clock, new Unjittered(), loop::execute, heard);
    }

    /** The grant that must be there by now. */
    Grant grantOf(Acquisition acquisition) {
        time.settle();
        return ((AcquireOutcome.Granted) acquisition.outcome().getNow(null)).grant();
    }

    /** As if somebody else always had a ticket: blocks of this process then follow its own holder. */
    void refuseExtensions() {
        extensionsRefused = true;
    }

    void leaseOfStrangers(Duration lease) {
        leaseOfStrangers = lease;
    }

    /** Another process, whose session exists. */
    Stranger stranger(long number) {
        table.createSession(sessionId(number), leaseOfStrangers, "stranger", time.now());
        return new Stranger(new Claimant(sessionId(number), new BlockId(new UUID(9, number)), "stranger"));
    }

    static SessionId sessionId(long number) {
        return new SessionId(new UUID(0, number));
    }

    /** Another process of which there is nothing but what it writes into the table, one block at a time. */
    final class Stranger {

        private final Claimant claimant;
        private long first;
        private long last;
        private long beats;

        private Stranger(Claimant claimant) {
            this.claimant = claimant;
        }

        Claimant claimant() {
            return claimant;
        }

        Stranger holds() {
            table.tryAcquire(KEY, claimant, 1, time.now());
            return this;
        }

        Stranger takes(int numbers) {
            table.takeNumbers(KEY, numbers, time.now());
            last = table.lockState(KEY).tail();
            first = last - numbers + 1;
            return this;
        }

        Stranger queues(int numbers) {
            takes(numbers);
            enters();
            return this;
        }

        void enters() {
            table.enter(KEY, new WaiterRow(first, last, claimant, time.now()));
        }

        void claims() {
            table.claim(KEY, claimant, last, null, time.now());
        }

        void leaves() {
            table.deleteRow(KEY, first, claimant.block());
        }

        void releases() {
            table.release(KEY, claimant.block(), time.now());
        }

        void beats() {
            table.beat(claimant.session(), ++beats, Set.of(), time.now());
        }

        void dies() {
            table.endSession(claimant.session());
        }

        long last() {
            return last;
        }

        boolean isQueued() {
            return table.rows(KEY).stream().anyMatch(row -> row.claimant().equals(claimant));
        }

        boolean isHolder() {
            return table.lockState(KEY).isHeldBy(claimant.block());
        }
    }

    private final class RefusingStore extends InterceptedLockStore {

        RefusingStore() {
            super(table);
        }

        @Override
        public CompletionStage<WriteResult> extend(LockKey key, BlockId block, int count, Instant now) {
            return extensionsRefused
                    ? CompletableFuture.completedFuture(new WriteResult.Refused(table.lockState(key)))
                    : super.extend(key, block, count, now);
        }

        @Override
        protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
            return call.get();
        }
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
        private Duration retention = SETTINGS.retention();
        private Duration pollMin = SETTINGS.pollMin();
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

        Settings pollMin(Duration to) {
            pollMin = to;
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
                    SETTINGS.driftMargin(),
                    pollMin,
                    SETTINGS.pollMax(),
                    lockDelay,
                    maxClockSkew,
                    callTimeout,
                    maxCallsInFlight,
                    retention);
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
