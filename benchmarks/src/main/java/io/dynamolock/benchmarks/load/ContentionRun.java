package io.dynamolock.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.database.Usage;
import io.dynamolock.benchmarks.peer.LockProcess;
import io.dynamolock.benchmarks.peer.LockProcess.HeldLock;
import io.dynamolock.benchmarks.peer.Peer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Threads that take a lock and release it, as fast as they get it, until the time is over. */
public final class ContentionRun {

    /** Longer than any run, so that a wait ends only with the lock. */
    private static final Duration WAIT = Duration.ofMinutes(5);
    /** After the time is over, how long threads may take to get their last turn before they are interrupted. */
    private static final Duration DRAIN = Duration.ofMillis(500);

    /** A thread that has not ended this long after its interrupt is left behind; it is a daemon. */
    private static final Duration STUBBORN = Duration.ofSeconds(30);

    private final Contention contention;
    private final List<Worker> workers = new ArrayList<>();
    private volatile boolean over;

    private ContentionRun(Contention contention) {
        this.contention = contention;
    }

    public static ContentionResult of(Peer peer, Database database, String table, Contention contention)
            throws InterruptedException {
        return new ContentionRun(contention).run(peer, database, table);
    }

    private ContentionResult run(Peer peer, Database database, String table) throws InterruptedException {
        CallMeter meter = new CallMeter();
        List<LockProcess> processes = new ArrayList<>();
        try {
            for (int p = 0; p < contention.processes(); p++) {
                processes.add(peer.start(database, table, "process-" + p, meter));
            }
            start(processes);
            TimeUnit.NANOSECONDS.sleep(
                    contention.spread().plus(contention.warmUp()).toNanos());
            Usage before = meter.usage();
            Duration busyBefore = processorTime();
            long from = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(contention.measured().toNanos());
            Usage used = meter.usage().minus(before);
            Duration busy = processorTime().minus(busyBefore);
            long to = System.nanoTime();
            over = true;
            List<Long> waitingSince = workers.stream()
                    .map(worker -> worker.waitingSince.get())
                    .filter(since -> since != 0)
                    .toList();
            drain();
            return result(from, to, used, busy, waitingSince);
        } finally {
            over = true;
            workers.forEach(Worker::interrupt);
            processes.forEach(LockProcess::closeOrLeave);
        }
    }

    /** Processor time of this JVM, which has all the measured processes. DynamoDB Local runs in another one. */
    private static Duration processorTime() {
        return Duration.ofNanos(
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime());
    }

    private void start(List<LockProcess> processes) throws InterruptedException {
        Duration apart = contention.spread().dividedBy(contention.threads());
        for (int number = 0; number < contention.threads(); number++) {
            // Neighbouring threads belong to different processes, so that no process starts first as a whole.
            int process = number % contention.processes();
            Worker worker = new Worker(
                    processes.get(process), process, contention.keys().apply(number));
            workers.add(worker);
            worker.start();
            TimeUnit.NANOSECONDS.sleep(apart.toNanos());
        }
    }

    private void drain() throws InterruptedException {
        long deadline = System.nanoTime() + DRAIN.toNanos();
        for (Worker worker : workers) {
            long left = Math.max(deadline - System.nanoTime(), 1_000_000);
            worker.join(Duration.ofNanos(left).toMillis() + 1);
        }
        for (Worker worker : workers) {
            worker.interrupt();
            worker.join(STUBBORN.toMillis());
        }
    }

    private ContentionResult result(long from, long to, Usage used, Duration busy, List<Long> waitingSince) {
        List<Section> all = new ArrayList<>();
        long failures = 0;
        @Nullable Exception failure = null;
        int starved = 0;
        for (Worker worker : workers) {
            all.addAll(worker.sections);
            failures += worker.failures;
            failure = worker.failure == null ? failure : worker.failure;
            if (worker.sections.stream().noneMatch(section -> section.granted() >= from && section.granted() < to)) {
                starved++;
            }
        }
        if (failure != null) {
            System.err.println(failures + " failures, the last one: " + failure);
        }
        return new ContentionResult(all, from, to, used, busy, waitingSince, starved, failures);
    }

    /** One thread of the crowd. */
    private final class Worker extends Thread {

        private final LockProcess process;
        private final int number;
        private final String key;
        private final AtomicLong waitingSince = new AtomicLong();

        // Written by this thread, read after its end.
        private final List<Section> sections = new ArrayList<>();
        private long failures;
        private @Nullable Exception failure;

        Worker(LockProcess process, int number, String key) {
            super("worker");
            setDaemon(true);
            this.process = process;
            this.number = number;
            this.key = key;
        }

        @Override
        public void run() {
            while (!over) {
                try {
                    takeTurn();
                } catch (InterruptedException e) {
                    return;
                } catch (RuntimeException e) {
                    if (over) {
                        // The lock reports the interrupt by an exception of its own.
                        return;
                    }
                    failures++;
                    failure = e;
                }
            }
        }

        private void takeTurn() throws InterruptedException {
            // A failed attempt does not start a new wait.
            waitingSince.compareAndSet(0, System.nanoTime());
            long asked = waitingSince.get();
            HeldLock held = process.acquire(key, WAIT);
            long granted = System.nanoTime();
            if (held == null) {
                failures++;
                return;
            }
            waitingSince.set(0);
            long releasing;
            try {
                if (!contention.section().isZero()) {
                    TimeUnit.NANOSECONDS.sleep(contention.section().toNanos());
                }
            } finally {
                releasing = System.nanoTime();
                if (!held.release()) {
                    failures++;
                }
            }
            sections.add(new Section(number, held.allowedTogether(), asked, granted, releasing, System.nanoTime()));
        }
    }
}
