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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One process that holds many locks at once.
 *
 * @param held how long the process holds the locks, counted from the last acquire
 * @param samples how many of the locks a rival tries to get towards the end
 */
public record HoldingRun(String prefix, int locks, Duration held, int samples) {

    private static final int THREADS = 64;
    private static final Duration WAIT = Duration.ofSeconds(30);
    /** Time limit for acquiring all locks, and for releasing all. What is not done by then counts as not done. */
    public static final Duration LIMIT = Duration.ofSeconds(60);
    /** Longer than the leases of peers that judge a lease by watching it. */
    private static final Duration RIVAL_WAIT = Duration.ofSeconds(26);

    /**
     * The cost of holding the locks.
     *
     * @param used used while the locks were held, less what the rival used
     * @param taken how many held locks the rival got
     * @param lost how many releases found the lock lost
     * @param notAcquired how many locks were not acquired within the limit
     * @param notReleased how many were still held when the limit for releasing was over
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
            int notAcquired,
            int notReleased) {}

    public Result with(Peer peer, Database database, String table) throws InterruptedException {
        CallMeter meter = new CallMeter();
        LockProcess holder = peer.start(database, table, "holder", meter);
        LockProcess rival = peer.start(database, table, "rival", new CallMeter());
        Crew crew = new Crew(Math.max(THREADS, samples));
        try {
            // Threads and connections that every instance has do not count as those of the locks.
            crew.each(THREADS, i -> {
                HeldLock warm = holder.acquire(prefix + "-warm-up-" + i, WAIT);
                return warm != null && warm.release();
            });
            Footprint before = Footprint.settled();
            Map<Integer, HeldLock> held = new ConcurrentHashMap<>();
            long acquiring = System.nanoTime();
            crew.each(locks, i -> {
                if (secondsSince(acquiring) > LIMIT.toSeconds()) {
                    return false;
                }
                HeldLock lock = holder.acquire(key(i), WAIT);
                return lock != null && held.put(i, lock) == null;
            });
            double acquired = secondsSince(acquiring);

            long holding = System.nanoTime();
            Usage used = meter.usage();
            Footprint during = Footprint.now();
            Duration alone = held().minus(RIVAL_WAIT);
            TimeUnit.NANOSECONDS.sleep(Math.max(0, alone.toNanos()));
            int taken = crew.each(Math.min(samples, locks), i -> {
                HeldLock stolen = rival.acquire(key(i * (locks / Math.min(samples, locks))), RIVAL_WAIT);
                return stolen != null;
            });
            used = meter.usage().minus(used);
            double heldSeconds = secondsSince(holding);

            long releasing = System.nanoTime();
            AtomicInteger notReleased = new AtomicInteger();
            int released = crew.each(locks, i -> {
                HeldLock lock = held.get(i);
                if (lock != null && secondsSince(releasing) > LIMIT.toSeconds()) {
                    notReleased.incrementAndGet();
                    return false;
                }
                return lock != null && lock.release();
            });
            return new Result(
                    acquired,
                    used,
                    heldSeconds,
                    during.heapKbMoreThan(before),
                    during.threadsMoreThan(before),
                    secondsSince(releasing),
                    taken,
                    held.size() - released - notReleased.get(),
                    locks - held.size(),
                    notReleased.get());
        } finally {
            crew.close();
            // A late release would disturb the next peer, so this close has no time limit, unlike closeOrLeave().
            try {
                rival.close();
            } finally {
                holder.close();
            }
        }
    }

    private String key(int number) {
        return prefix + "-" + number;
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
