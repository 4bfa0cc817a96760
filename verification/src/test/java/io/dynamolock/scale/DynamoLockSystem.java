package io.dynamolock.scale;

import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.EngineInPlay;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.NoOpEngineListener;
import io.dynamolock.internal.engine.Specs;
import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.process.PausableEngine;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The real engine. Fails if a lock is granted to a process whose entry is not the first of the queue, if the callers of
 * one process get a lock in another order than that of their arrival, or if the tickets of grants do not rise.
 */
final class DynamoLockSystem {

    /** The default maximum number of entries in a queue. */
    static final int USUAL_QUEUE = 200;

    private final VirtualTime time;
    private final List<LockEngine> processes = new ArrayList<>();
    private final MeteredLockStore store;
    private final Map<LockKey, Long> lastTickets = new HashMap<>();
    private final Map<Callers, Long> lastArrivals = new HashMap<>();
    private long arrivals;
    private int warm;

    /** The callers of one process for one lock. */
    private record Callers(int process, LockKey key) {}

    /** @param maxQueue the maximum number of entries in a queue; all other settings are the defaults */
    DynamoLockSystem(VirtualTable table, int processes, long seed, int maxQueue) {
        time = table.time;
        store = new MeteredLockStore(table);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < processes; i++) {
            VirtualTime.Loop loop = time.new Loop();
            EngineSettings settings = EngineInPlay.settings("process-" + i, maxQueue);
            this.processes.add(
                    new PausableEngine(settings, store, loop, time, random.split(), new NoOpEngineListener()));
        }
        warmUp();
    }

    /** Every process has its session; the heartbeats are spread over time. */
    private void warmUp() {
        for (int i = 0; i < processes.size(); i++) {
            int process = i;
            time.in(
                    EngineInPlay.SETTINGS.heartbeat().multipliedBy(i).dividedBy(processes.size()),
                    () -> acquire(
                            process,
                            "warm-up-" + process,
                            grant -> grant.release(null).thenRun(() -> warm++)));
        }
        if (!time.advanceUntil(() -> warm == processes.size(), Duration.ofMinutes(1))) {
            throw new AssertionError("not warm within a minute");
        }
    }

    /** Waits without a limit. */
    void acquire(int process, String name, Consumer<Grant> granted) {
        LockKey key = new LockKey(name, "scale");
        long arrival = arrivals++;
        processes
                .get(process)
                .acquire(Specs.exclusive(key).waitingForever().named("scale").spec())
                .outcome()
                .thenAccept(outcome -> {
                    if (outcome instanceof AcquireOutcome.Granted of) {
                        time.in(Duration.ZERO, () -> {
                            Grant grant = of.grant();
                            check(store.isHeldBy(grant), grant + " while another process's entry is the first");
                            mustRise(lastArrivals, new Callers(process, key), arrival);
                            mustRise(lastTickets, key, grant.ticket());
                            granted.accept(grant);
                        });
                    }
                });
    }

    private static <K> void mustRise(Map<K, Long> lasts, K of, long next) {
        Long last = lasts.put(of, next);
        check(last == null || last < next, of + " was granted as " + next + " after " + last);
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
