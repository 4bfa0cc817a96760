package io.dynamolock.engine;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.simulation.VirtualTime;
import io.dynamolock.store.memory.InMemoryLockStore;
import io.dynamolock.store.testing.CountingLockStore;
import io.dynamolock.store.testing.FaultyLockStore;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * One engine on a workbench, and other processes of which there is nothing but what they write into the table. Calls
 * take no time unless a fault makes them.
 */
final class EngineBench {

    static final LockKey KEY = new LockKey("customer-42", "default");
    static final EngineSettings SETTINGS = SimulatedProcess.SETTINGS;

    /** The next beat and the end of the session's validity. */
    static final int TIMERS_OF_THE_SESSION = 2;

    final Workbench bench = new Workbench();
    final VirtualTime time = bench.time;
    final InMemoryLockStore table = bench.table;
    final FaultyLockStore faults = bench.faults;
    final CountingLockStore calls = bench.store;
    final List<String> events = bench.heard.events;
    final LoopEngine engine;

    /** With a session that has begun. */
    static EngineBench started() {
        return started(SETTINGS);
    }

    static EngineBench started(EngineSettings settings) {
        EngineBench started = new EngineBench(settings);
        started.grantOf(started.acquire(new LockKey("warm-up", "default"), AcquireSpec.FOREVER))
                .release();
        started.time.settle();
        started.calls.reset();
        started.events.clear();
        return started;
    }

    EngineBench() {
        this(SETTINGS);
    }

    EngineBench(EngineSettings settings) {
        engine = new LoopEngine(
                settings,
                bench.store,
                bench.loop,
                bench.clock,
                bench.context().random,
                bench.loop::execute,
                bench.heard);
    }

    Acquisition acquire(LockKey key, Duration wait) {
        return engine.acquire(new AcquireSpec(key, "test", wait, null, null));
    }

    Acquisition acquire(Duration wait) {
        return acquire(KEY, wait);
    }

    /** Waits for ever. */
    Acquisition acquire() {
        return acquire(AcquireSpec.FOREVER);
    }

    Acquisition acquireWithMaxHold(Duration maxHold) {
        return engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, maxHold, null));
    }

    /** Waits for ever, and its first call has been answered unless a fault keeps it. */
    Acquisition acquireAndSettle() {
        Acquisition acquisition = acquire();
        time.settle();
        return acquisition;
    }

    /** Comes while its process holds the lock, and has joined the block that holds it. */
    Acquisition join() {
        Acquisition acquisition = acquire();
        time.advance(Duration.ofMillis(1));
        return acquisition;
    }

    Grant hold() {
        return grantOf(acquire());
    }

    /** The grant that must be there by now. */
    Grant grantOf(Acquisition acquisition) {
        time.settle();
        if (acquisition.outcome().getNow(null) instanceof AcquireOutcome.Granted granted) {
            return granted.grant();
        }
        throw new AssertionError("not granted: " + acquisition.outcome());
    }

    LockItem lock() {
        return table.lock(KEY);
    }

    List<Entry> queue() {
        return lock().queue();
    }

    /** The entry of the engine's own block that stands at this place. */
    BlockId blockAt(int index) {
        return queue().get(index).block();
    }

    int count(StoreOperation operation) {
        return calls.count(operation);
    }

    void loseSession() {
        SessionId own = table.sessionIds().stream()
                .filter(id -> !isStranger(id))
                .findFirst()
                .orElseThrow();
        table.take(own, new SessionStep.End(), time.now());
        time.advanceUntil(() -> events.contains("session lost"), SETTINGS.heartbeat());
    }

    private static boolean isStranger(SessionId id) {
        return id.value().startsWith("000000");
    }

    /** Another process, whose session exists and does not beat by itself. */
    Stranger stranger(long number) {
        return stranger(number, SETTINGS.lease());
    }

    Stranger stranger(long number, Duration lease) {
        SessionId session = SessionId.of(number);
        table.take(session, new SessionStep.Begin(lease, "stranger", time.now()), time.now());
        return new Stranger(new BlockId(session, 1));
    }

    final class Stranger {

        private final BlockId block;
        private long beats;

        private Stranger(BlockId block) {
            this.block = block;
        }

        /** Takes a place for so many callers. */
        Stranger asks(int callers) {
            table.take(KEY, new Step.Ask(new Entry(block, callers), 1_000, 1_000), time.now());
            return this;
        }

        Stranger asks() {
            return asks(1);
        }

        /** Gives up its place, or releases the lock. */
        void leaves() {
            int index = lock().indexOf(block);
            table.take(KEY, Step.Leave.of(index, queue().get(index)), time.now());
        }

        void beats() {
            table.take(block.session(), new SessionStep.Beat(++beats, Set.of(), time.now()), time.now());
        }

        void dies() {
            table.take(block.session(), new SessionStep.End(), time.now());
        }

        boolean stands() {
            return lock().indexOf(block) >= 0;
        }

        BlockId block() {
            return block;
        }
    }
}
