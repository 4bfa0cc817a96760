package io.dynamolock.benchmarks.load;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.database.Usage;
import io.dynamolock.benchmarks.peer.LockProcess;
import io.dynamolock.benchmarks.peer.LockProcess.HeldLock;
import io.dynamolock.benchmarks.peer.Peer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * One process that holds many locks at once.
 *
 * @param held how long it holds them, from the last acquire on
 * @param samples how many of them a rival tries to get towards the end
 */
public record HoldingRun(String prefix, int locks, Duration held, int samples) {

    private static final int THREADS = 64;
    private static final Duration WAIT = Duration.ofSeconds(30);
    /** Longer than the leases that are judged by watching. */
    private static final Duration RIVAL_WAIT = Duration.ofSeconds(26);

    /**
     * What the holding took.
     *
     * @param used while they were held, less what the rival used
     * @param taken how many the rival got although they were held
     * @param lost how many releases found the lock lost
     */
    public record Result(
            double acquireSeconds,
            Usage used,
            double heldSeconds,
            double heapKb,
            int threads,
            double releaseSeconds,
            int taken,
            int lost,
            int failures) {}

    public Result with(Peer peer, Database database, String table) throws InterruptedException {
        CallMeter meter = new CallMeter();
        LockProcess holder = peer.start(database, table, "holder", meter);
        LockProcess rival = peer.start(database, table, "rival", new CallMeter());
        Crew crew = new Crew(Math.max(THREADS, samples));
        try {
            // So that threads and connections that every instance has do not count as the locks'.
            crew.each(THREADS, i -> {
                HeldLock warm = holder.acquire(prefix + "-warm-up-" + i, WAIT);
                return warm != null && warm.release();
            });
            Footprint before = Footprint.now();
            Map<Integer, HeldLock> held = new ConcurrentHashMap<>();
            long start = System.nanoTime();
            crew.each(locks, i -> {
                HeldLock lock = holder.acquire(key(i), WAIT);
                return lock != null && held.put(i, lock) == null;
            });
            double acquired = secondsSince(start);

            start = System.nanoTime();
            Usage used = meter.usage();
            Footprint during = Footprint.now();
            Duration alone = held().minus(RIVAL_WAIT);
            TimeUnit.NANOSECONDS.sleep(Math.max(0, alone.toNanos()));
            int taken = crew.each(Math.min(samples, locks), i -> {
                HeldLock stolen = rival.acquire(key(i * (locks / Math.min(samples, locks))), RIVAL_WAIT);
                return stolen != null;
            });
            used = meter.usage().minus(used);
            double heldSeconds = secondsSince(start);

            start = System.nanoTime();
            int released = crew.each(locks, i -> {
                HeldLock lock = held.get(i);
                return lock != null && lock.release();
            });
            return new Result(
                    acquired,
                    used,
                    heldSeconds,
                    during.heapKbMoreThan(before),
                    during.threadsMoreThan(before),
                    secondsSince(start),
                    taken,
                    held.size() - released,
                    locks - held.size());
        } finally {
            crew.close();
            rival.close();
            holder.close();
        }
    }

    private String key(int number) {
        return prefix + "-" + number;
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
