package io.dynamolock.benchmarks.load;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.database.Usage;
import io.dynamolock.benchmarks.peer.LockProcess;
import io.dynamolock.benchmarks.peer.LockProcess.HeldLock;
import io.dynamolock.benchmarks.peer.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Waiters that wait, because one process holds the lock all the time.
 *
 * @param processes how many processes the waiters are spread over
 * @param apart whether the holder is a process of its own
 * @param settled how long after the start of the waiters the measurement begins
 */
public record WaitingRun(String key, int processes, int waiters, boolean apart, Duration settled, Duration measured) {

    private static final Duration AFTERWARDS = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** How long the waiters may take to end after the measurement. After that they are abandoned. */
    private static final Duration DRAIN = Duration.ofSeconds(15);

    /**
     * The cost of waiting.
     *
     * @param early waiters that ended early, by an error or by a grant that should not have happened
     */
    public record Result(Usage used, double seconds, double heapKb, int threads, int early) {}

    public Result with(Peer peer, Database database, String table) throws InterruptedException {
        CallMeter meter = new CallMeter();
        List<LockProcess> all = new ArrayList<>();
        List<CompletableFuture<Void>> waits = new ArrayList<>();
        try {
            for (int p = 0; p < processes; p++) {
                all.add(peer.start(database, table, "process-" + p, meter));
            }
            LockProcess holder = apart ? peer.start(database, table, "holder", meter) : all.get(0);
            if (apart) {
                all.add(holder);
            }
            // Connects all clients, so that the connections do not count as a cost of waiting.
            for (LockProcess process : all) {
                Objects.requireNonNull(process.acquire(key + "-warm-up", PATIENCE))
                        .release();
            }
            HeldLock held = Objects.requireNonNull(holder.acquire(key, PATIENCE));
            Footprint before = Footprint.settled();
            AtomicInteger early = new AtomicInteger();
            AtomicReference<@Nullable Throwable> lastFailure = new AtomicReference<>();
            Duration wait = settled.plus(measured).plus(AFTERWARDS);
            for (int w = 0; w < waiters; w++) {
                waits.add(all.get(w % processes).acquireInBackground(key, wait).handle((granted, failure) -> {
                    early.incrementAndGet();
                    if (failure != null) {
                        lastFailure.set(failure);
                    }
                    if (granted != null) {
                        granted.release();
                    }
                    return null;
                }));
            }
            TimeUnit.NANOSECONDS.sleep(settled.toNanos());
            Usage used = meter.usage();
            long from = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(measured.toNanos());
            used = meter.usage().minus(used);
            double seconds = (System.nanoTime() - from) / 1e9;
            int endedEarly = early.get();
            if (endedEarly > 0) {
                System.err.println(endedEarly + " waiters ended early, the last failure: " + lastFailure.get());
            }
            Footprint during = Footprint.now();
            held.release();
            drain(waits);
            return new Result(used, seconds, during.heapKbMoreThan(before), during.threadsMoreThan(before), endedEarly);
        } finally {
            all.forEach(LockProcess::closeOrLeave);
        }
    }

    private static void drain(List<CompletableFuture<Void>> waits) {
        try {
            CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new))
                    .orTimeout(DRAIN.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException tooLong) {
            System.err.println("Some waiters did not end within " + DRAIN.toSeconds() + " s after the measured time");
        }
    }
}
