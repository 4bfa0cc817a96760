package io.dynamolock.engine;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.Entry;
import io.dynamolock.simulation.LatentLockStore;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.simulation.VirtualTime;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.memory.InMemoryLockStore;
import io.dynamolock.store.testing.CountingLockStore;
import io.dynamolock.store.testing.FaultyLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Some processes on one table, 5 ms away from it, in virtual time. */
final class Cluster {

    static final LockKey KEY = new LockKey("customer-42", "default");
    static final Duration MINUTE = Duration.ofMinutes(1);

    final VirtualTime time = new VirtualTime();
    final InMemoryLockStore table = new InMemoryLockStore(time::now);
    final FaultyLockStore faults = new FaultyLockStore(table);
    final CountingLockStore calls = new CountingLockStore(faults);
    private final LockStore network;
    private final EngineSettings settings;
    private int processes;

    Cluster() {
        this(SimulatedProcess.SETTINGS.maxQueue());
    }

    /** @param maxQueue how many blocks stand in a queue */
    Cluster(int maxQueue) {
        this(maxQueue, () -> Duration.ofNanos(2_500_000));
    }

    /** @param way how long one way to the table takes */
    private Cluster(int maxQueue, Supplier<Duration> way) {
        this.settings = settings(maxQueue);
        this.network = new LatentLockStore(calls, time, way);
    }

    /** Each way takes between 1.5 and 4.5 ms: calls that are sent together do not arrive together. */
    static Cluster withJitter() {
        SplittableRandom random = new SplittableRandom(3);
        return new Cluster(
                SimulatedProcess.SETTINGS.maxQueue(), () -> Duration.ofNanos(1_500_000 + random.nextLong(3_000_000)));
    }

    /** The usual ones, but for the length of the line. */
    static EngineSettings settings(int maxQueue) {
        EngineSettings usual = SimulatedProcess.SETTINGS;
        return new EngineSettings(
                usual.owner(),
                usual.lease(),
                usual.heartbeat(),
                usual.driftMargin(),
                usual.pollMin(),
                usual.pollMax(),
                usual.lockDelay(),
                usual.maxClockSkew(),
                usual.callTimeout(),
                usual.maxCallsInFlight(),
                usual.retention(),
                maxQueue);
    }

    /** A process without a session. */
    SimulatedProcess process() {
        int number = ++processes;
        return new SimulatedProcess("process-" + number, time, network, settings, number);
    }

    /** A process whose session exists. */
    SimulatedProcess startedProcess() {
        SimulatedProcess process = process();
        process.hold(new LockKey("warm-up", "default")).release();
        time.advance(Duration.ofMillis(100));
        return process;
    }

    List<SimulatedProcess> startedProcesses(int count) {
        List<SimulatedProcess> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            started.add(startedProcess());
        }
        return started;
    }

    List<Acquisition> acquire(SimulatedProcess process, int callers, Duration wait) {
        List<Acquisition> acquisitions = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            acquisitions.add(process.acquire(KEY, wait));
        }
        return acquisitions;
    }

    /** Releases each grant as soon as it is made; the numbers in the order of the grants. */
    List<Long> runSections(List<Acquisition> acquisitions) {
        List<Long> numbers = new ArrayList<>();
        for (Acquisition acquisition : acquisitions) {
            acquisition.outcome().thenAccept(outcome -> {
                if (outcome instanceof AcquireOutcome.Granted granted) {
                    numbers.add(granted.grant().number());
                    granted.grant().release();
                }
            });
        }
        return numbers;
    }

    /** The grant by which a writer goes on as a reader. */
    Grant downgraded(Grant writer) {
        CompletableFuture<Optional<Grant>> reader = writer.downgrade();
        time.advanceUntil(reader::isDone, Duration.ofSeconds(1));
        return reader.getNow(Optional.empty()).orElseThrow();
    }

    /** The lock's queue as the table has it. */
    List<Entry> queue() {
        return table.lock(KEY).queue();
    }

    /** How the acquisition has ended; {@code null} if it has not. Nobody would end it while a test waits. */
    static @Nullable AcquireOutcome outcome(Acquisition acquisition) {
        return acquisition.outcome().getNow(null);
    }

    static boolean isGranted(Acquisition acquisition) {
        return outcome(acquisition) instanceof AcquireOutcome.Granted;
    }

    static boolean isTimedOut(Acquisition acquisition) {
        return outcome(acquisition) instanceof AcquireOutcome.TimedOut;
    }

    static boolean isFailed(Acquisition acquisition) {
        return outcome(acquisition) instanceof AcquireOutcome.Failed;
    }
}
