package io.dynamolock.scale;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.Grant;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.simulation.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The real engine. Fails if a lock is granted in a process whose block is not the first of the queue, which stands in
 * the order of the asks; if the callers of one process get it in another order than that of their arrival; or if the
 * numbers of its grants do not rise.
 */
final class DynamoLockSystem implements LockSystem {

    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    /** How many blocks a queue may have by default. */
    static final int USUAL_QUEUE = 200;

    private final VirtualTime time;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final MeteredLockStore store;
    private final Map<LockKey, Long> lastNumbers = new HashMap<>();
    private final Map<Caller, Long> lastArrivals = new HashMap<>();
    private long arrivals;
    private int warm;

    /** Callers of one process for one lock. */
    private record Caller(int process, LockKey key) {}

    /** @param maxQueue how many blocks a queue may have; everything else is as it is by default */
    DynamoLockSystem(VirtualTable table, int processes, long seed, int maxQueue) {
        this.time = table.time();
        store = new MeteredLockStore(table);
        for (int i = 0; i < processes; i++) {
            this.processes.add(new SimulatedProcess(name(i), time, store, settings(maxQueue), seed * 1_000_003 + i));
        }
        warmUp();
        forgetWhatWasHeard();
    }

    private static String name(int process) {
        return "process-" + process;
    }

    private static EngineSettings settings(int maxQueue) {
        return new EngineSettings(
                "process",
                Duration.ofSeconds(20),
                HEARTBEAT,
                Duration.ofSeconds(1),
                Duration.ofMillis(20),
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ofMinutes(5),
                Duration.ofSeconds(4),
                32,
                Duration.ofDays(7),
                maxQueue);
    }

    /** Every process has its session, and their heartbeats do not fall on the same moment. */
    private void warmUp() {
        for (int i = 0; i < processes.size(); i++) {
            int process = i;
            time.schedule(
                    () -> acquire(process, "warm-up-" + process, held -> held.release(() -> warm++)),
                    HEARTBEAT.multipliedBy(i).dividedBy(processes.size()));
        }
        if (!time.advanceUntil(() -> warm == processes.size(), Duration.ofMinutes(1))) {
            throw new AssertionError("not warm within a minute");
        }
    }

    @Override
    public void acquire(int process, String name, Consumer<Held> granted) {
        LockKey key = new LockKey(name, "scale");
        long arrival = arrivals++;
        processes
                .get(process)
                .acquire(new AcquireSpec(key, "scale", AcquireSpec.FOREVER, null, null))
                .outcome()
                .thenAccept(outcome -> {
                    if (outcome instanceof AcquireOutcome.Granted grant) {
                        Held held = done -> grant.grant().release().thenRun(done);
                        time.schedule(
                                () -> {
                                    mustBeFirst(process, key);
                                    mustBeNext(new Caller(process, key), arrival);
                                    mustRise(grant.grant());
                                    granted.accept(held);
                                },
                                Duration.ZERO);
                    }
                });
    }

    private void mustBeFirst(int process, LockKey key) {
        if (!store.ownerOfFirst(key).equals(name(process))) {
            throw new AssertionError(
                    name(process) + " was granted a lock while " + store.ownerOfFirst(key) + " is first in line");
        }
    }

    private void mustBeNext(Caller caller, long arrival) {
        Long last = lastArrivals.put(caller, arrival);
        if (last != null && last > arrival) {
            throw new AssertionError("A caller of " + name(caller.process()) + " was overtaken by a later one");
        }
    }

    private void mustRise(Grant grant) {
        Long last = lastNumbers.put(grant.key(), grant.number());
        if (last != null && last >= grant.number()) {
            throw new AssertionError("Number " + grant.number() + " was granted after " + last);
        }
    }

    @Override
    public void kill(int process) {
        processes.get(process).kill();
    }

    @Override
    public void close(int process) {
        processes.get(process).engine.shutdown();
    }

    @Override
    public boolean isAlive(int process) {
        return !processes.get(process).isDead();
    }

    /** What a process has heard is kept for the simulator; here it would only fill the memory. */
    private void forgetWhatWasHeard() {
        for (SimulatedProcess process : processes) {
            process.events.clear();
            process.heard.clear();
        }
        time.schedule(this::forgetWhatWasHeard, Duration.ofSeconds(5));
    }
}
