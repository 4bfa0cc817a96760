package io.dynamolock.chaos;

import io.dynamolock.chaos.Schedule.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Carries out the faults of the schedule, with one thread for each target, and heals everything in the end. */
final class Nemesis {

    private static final Duration STORM_INTERVAL = Duration.ofMillis(150);

    private final List<Worker> workers;
    private final DatabaseProcess database;
    private final HistoryFile history;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Nemesis(List<Worker> workers, DatabaseProcess database, HistoryFile history) {
        this.workers = workers;
        this.database = database;
        this.history = history;
    }

    /** Returns when the time is over, the last fault has ended and all processes run again. */
    void play(List<Entry> schedule, Duration length) throws InterruptedException {
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (Worker worker : workers) {
            threads.add(start(worker.name, new Victim(worker, database, List.of(worker.link)), schedule, start));
        }
        threads.add(start(
                Schedule.DATABASE,
                new Victim(
                        null,
                        database,
                        workers.stream().map(worker -> worker.link).toList()),
                schedule,
                start));
        sleepUntil(start + length.toNanos());
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("The harness itself failed", failure.get());
        }
        history.add("healed target=-");
    }

    private Thread start(String target, Victim victim, List<Entry> schedule, long start) {
        Thread thread = new Thread(
                () -> {
                    try {
                        for (Entry entry : schedule) {
                            if (entry.target().equals(target)) {
                                sleepUntil(start + entry.at().toNanos());
                                afflict(victim, entry.fault(), entry.length());
                            }
                        }
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    }
                },
                "nemesis-" + target);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void afflict(Victim victim, Fault fault, Duration length) throws InterruptedException {
        history.add("fault target=%s fault=%s millis=%s", victim.life(), fault, length.toMillis());
        long end = System.nanoTime() + length.toNanos();
        fault.begin.on(victim);
        while (fault == Fault.RESET_STORM && System.nanoTime() < end) {
            Thread.sleep(STORM_INTERVAL.toMillis());
            fault.begin.on(victim);
        }
        sleepUntil(end);
        fault.end.on(victim);
        history.add("fault-over target=%s fault=%s", victim.life(), fault);
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        Thread.sleep(Math.max(0, Duration.ofNanos(nanos - System.nanoTime()).toMillis()));
    }
}
