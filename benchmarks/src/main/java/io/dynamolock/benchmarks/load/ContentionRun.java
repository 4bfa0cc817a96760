package io.dynamolock.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.database.Usage;
import io.dynamolock.benchmarks.peer.LockProcess;
import io.dynamolock.benchmarks.peer.LockProcess.Ended;
import io.dynamolock.benchmarks.peer.Peer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Threads that take locks and release them, as fast as they can or at a fixed rate, until the time is over. */
public final class ContentionRun {

    /** Longer than any run, so that a wait ends only with the lock. */
    private static final Duration WAIT = Duration.ofMinutes(5);
    /** After the time is over, how long threads may take to get their last turn before they are interrupted. */
    private static final Duration DRAIN = Duration.ofMillis(500);

    /** A thread that has not ended this long after its interrupt is left behind; it is a daemon. */
    private static final Duration STUBBORN = Duration.ofSeconds(30);

    private final Contention contention;
    private final List<Worker> workers = new ArrayList<>();
    /** When the sections start; empty if each thread begins its next section as soon as it has ended the last. */
    private Optional<Schedule> schedule = Optional.empty();

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
        schedule = contention.pace().map(pace -> new Schedule(System.nanoTime(), pace));
        for (int number = 0; number < contention.threads(); number++) {
            // Neighbouring threads belong to different processes, so that no process starts first as a whole.
            int process = number % contention.processes();
            Worker worker = new Worker(processes.get(process), process, number);
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
        // A section that was to start in the measured time and has not ended must not be left out.
        long unfinished = schedule.map(starts -> starts.startsWithin(from, to)
                        - all.stream()
                                .filter(section -> section.asked() - from >= 0 && section.asked() - to < 0)
                                .count())
                .orElse(0L);
        if (unfinished > 0) {
            System.err.println(unfinished + " sections were to start and have not ended");
        }
        return new ContentionResult(
                all,
                schedule.isPresent() ? Section::asked : Section::granted,
                from,
                to,
                used,
                busy,
                waitingSince,
                starved,
                failures + unfinished);
    }

    /** One thread of the crowd. */
    private final class Worker extends Thread {

        private final LockProcess process;
        private final int processNumber;
        private final int threadNumber;
        /** When the section was to start that waits for its lock; 0 while none waits. */
        private final AtomicLong waitingSince = new AtomicLong();

        // Written by this thread, read after its end.
        private final List<Section> sections = new ArrayList<>();
        private long failures;
        private @Nullable Exception failure;

        Worker(LockProcess process, int processNumber, int threadNumber) {
            super("worker");
            setDaemon(true);
            this.process = process;
            this.processNumber = processNumber;
            this.threadNumber = threadNumber;
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
            if (waitingSince.get() == 0) {
                waitingSince.set(schedule.isPresent() ? schedule.get().await() : System.nanoTime());
            }
            long asked = waitingSince.get();
            Turn turn = new Turn();
            Ended ended =
                    process.section(contention.keys().of(threadNumber, sections.size()), WAIT, allowedTogether -> {
                        turn.granted = System.nanoTime();
                        turn.allowedTogether = allowedTogether;
                        waitingSince.set(0);
                        try {
                            if (!contention.section().isZero()) {
                                TimeUnit.NANOSECONDS.sleep(contention.section().toNanos());
                            }
                        } finally {
                            turn.releasing = System.nanoTime();
                        }
                    });
            long released = System.nanoTime();
            if (ended != Ended.WELL) {
                failures++;
            }
            if (turn.allowedTogether > 0) {
                sections.add(new Section(
                        processNumber, turn.allowedTogether, asked, turn.granted, turn.releasing, released));
            }
        }
    }

    /** A section under way. */
    private static final class Turn {

        /** 0 if nothing has run. */
        private int allowedTogether;

        private long granted;
        private long releasing;
    }
}
