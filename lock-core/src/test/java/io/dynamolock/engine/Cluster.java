package io.dynamolock.engine;

import io.dynamolock.simulation.LatentLockStore;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.simulation.VirtualTime;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.memory.InMemoryLockStore;
import io.dynamolock.store.testing.CountingLockStore;
import io.dynamolock.store.testing.FaultyLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Some processes on one table, 5 ms away from it, in virtual time. */
final class Cluster {

    static final LockKey KEY = new LockKey("customer-42", "default");
    static final Duration MINUTE = Duration.ofMinutes(1);

    final VirtualTime time = new VirtualTime();
    final InMemoryLockStore table = new InMemoryLockStore(time::now);
    final FaultyLockStore faults = new FaultyLockStore(table);
    final CountingLockStore calls = new CountingLockStore(faults);
    private final LockStore network = new LatentLockStore(
            calls, time, () -> Duration.ofNanos(Duration.ofMillis(5).toNanos() / 2));
    private int processes;

    SimulatedProcess process() {
        return process(SimulatedProcess.SETTINGS);
    }

    SimulatedProcess process(EngineSettings settings) {
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

    static boolean isGranted(Acquisition acquisition) {
        return acquisition.outcome().getNow(null) instanceof AcquireOutcome.Granted;
    }

    static boolean isTimedOut(Acquisition acquisition) {
        return acquisition.outcome().getNow(null) instanceof AcquireOutcome.TimedOut;
    }
}
