package io.dynamolock.benchmarks.load;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.peer.LockProcess;
import io.dynamolock.benchmarks.peer.LockProcess.HeldLock;
import io.dynamolock.benchmarks.peer.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Locks that one process holds for some time, until another process gets them that has waited all the time. All holds
 * go on side by side, each with a key of its own.
 *
 * @param prefix begins the names of the locks
 */
public record HandOverRun(String prefix, List<Holds> holds) {

    /** How long a caller waits at most for a lock that is to be free, or was released. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** The longest interval at which any peer looks for its lock. */
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(1);

    /**
     * Locks that are held for about the same time: for a random part of it longer, up to a second and up to a fifth, so
     * that releases fall on all moments between two looks of the waiter.
     *
     * @param atLeast how long each lock is held at least
     * @param sideBySide how many locks are held at a time
     * @param turns how often each is held
     */
    public record Holds(Duration atLeast, int sideBySide, int turns) {

        public int count() {
            return sideBySide * turns;
        }

        private Duration next(Random random) {
            Duration fifth = atLeast.dividedBy(5);
            Duration most = fifth.compareTo(LONGEST_INTERVAL) < 0 ? fifth : LONGEST_INTERVAL;
            return atLeast.plusNanos((long) (most.toNanos() * random.nextDouble()));
        }
    }

    /**
     * How late the waiter got its lock.
     *
     * @param late from the beginning of a release to the grant
     * @param lost how many locks the waiter got before they were released
     */
    public record Result(Samples late, int lost) {}

    /** @return for each of the holds, in their order */
    public List<Result> with(Peer peer, Database database, String table) throws InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool(HandOverRun::daemon);
        LockProcess holder = peer.start(database, table, "holder", new CallMeter());
        LockProcess waiter = peer.start(database, table, "waiter", new CallMeter());
        try {
            List<List<Future<List<Duration>>>> running = new ArrayList<>();
            for (Holds each : holds) {
                List<Future<List<Duration>>> lanes = new ArrayList<>();
                for (int i = 0; i < each.sideBySide(); i++) {
                    String key = prefix + "-" + each.atLeast().toMillis() + "-" + i;
                    // The same random numbers for all peers.
                    Lane lane = new Lane(each, key, new Random(key.hashCode()), holder, waiter, threads);
                    lanes.add(threads.submit(lane::run));
                }
                running.add(lanes);
            }
            List<Result> results = new ArrayList<>();
            for (List<Future<List<Duration>>> lanes : running) {
                results.add(result(lanes));
            }
            return results;
        } finally {
            threads.shutdownNow();
            waiter.closeOrLeave();
            holder.closeOrLeave();
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "hand-over");
        thread.setDaemon(true);
        return thread;
    }

    private static Result result(List<Future<List<Duration>>> lanes) throws InterruptedException {
        List<Duration> all = new ArrayList<>();
        for (Future<List<Duration>> lane : lanes) {
            try {
                all.addAll(lane.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
        List<Duration> late = all.stream().filter(time -> !time.isNegative()).toList();
        return new Result(Samples.of(late), all.size() - late.size());
    }

    /** One lock that is held and handed over again and again. */
    private record Lane(
            Holds holds, String key, Random random, LockProcess holder, LockProcess waiter, ExecutorService threads) {

        /** @return from each release to the grant; negative if the lock was lost before */
        List<Duration> run() throws InterruptedException {
            List<Duration> late = new ArrayList<>();
            // So that the lanes do not all begin at the same moment.
            TimeUnit.NANOSECONDS.sleep((long) (LONGEST_INTERVAL.toNanos() * random.nextDouble()));
            for (int turn = 0; turn < holds.turns(); turn++) {
                late.add(handOver());
            }
            return late;
        }

        private Duration handOver() throws InterruptedException {
            @Nullable HeldLock held = holder.acquire(key, PATIENCE);
            if (held == null) {
                throw new IllegalStateException(key + " was not free within " + PATIENCE);
            }
            Duration hold = holds.next(random);
            CompletableFuture<Long> granted = new CompletableFuture<>();
            threads.execute(() -> waitFor(hold.plus(PATIENCE), granted));
            TimeUnit.NANOSECONDS.sleep(hold.toNanos());
            long releasing = System.nanoTime();
            release(held);
            try {
                return Duration.ofNanos(granted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS) - releasing);
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException(key + " was released, but its waiter did not get it", e);
            }
        }

        private static void release(HeldLock held) {
            try {
                held.release();
            } catch (RuntimeException e) {
                System.err.println("A lock that was held for long could not be released: " + e);
            }
        }

        /** A thread for each waiter, which also releases: some locks belong to a thread. */
        private void waitFor(Duration wait, CompletableFuture<Long> granted) {
            try {
                HeldLock held = waiter.acquire(key, wait);
                if (held == null) {
                    throw new IllegalStateException("not granted within " + wait);
                }
                // The next turn takes this lock again: it begins when this release has ended.
                long at = System.nanoTime();
                held.release();
                granted.complete(at);
            } catch (InterruptedException | RuntimeException e) {
                granted.completeExceptionally(e);
            }
        }
    }
}
