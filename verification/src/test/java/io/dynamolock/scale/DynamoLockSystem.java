package io.dynamolock.scale;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.PausableEngine;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.EngineInPlay;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.Specs;
import io.dynamolock.internal.engine.Unheard;
import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The real engine. Fails if a lock is granted in a process whose entry is not the first of the queue, which stands in the order of the
 * appends; if the callers of one process get it in another order than that of their arrival; or if the tickets of its grants do not
 * rise.
 */
final class DynamoLockSystem {

    /** How many entries a queue may have by default. */
    static final int USUAL_QUEUE = 200;

    private final VirtualTime time;
    private final List<LockEngine> processes = new ArrayList<>();
    private final MeteredLockStore store;
    private final Map<LockKey, Long> lastTickets = new HashMap<>();
    private final Map<Callers, Long> lastArrivals = new HashMap<>();
    private long arrivals;
    private int warm;

    /** Those of one process for one lock. */
    private record Callers(int process, LockKey key) {}

    /** @param maxQueue how many entries a queue may have; everything else is as it is by default */
    DynamoLockSystem(VirtualTable table, int processes, long seed, int maxQueue) {
        time = table.time;
        store = new MeteredLockStore(table);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < processes; i++) {
            VirtualTime.Loop loop = time.new Loop();
            EngineSettings settings = EngineInPlay.settings("process-" + i, maxQueue);
            this.processes.add(new PausableEngine(settings, store, loop, time, random.split(), new Unheard()));
        }
        warmUp();
    }

    /** Every process has its session, and their heartbeats do not fall on the same moment. */
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

    /** Waits for as long as it takes. */
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
