package io.dynamolock.chaos;

import io.dynamolock.chaos.Schedule.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Makes happen what the schedule says, one thread for each target, and leaves everything healed. */
final class Nemesis {

    private static final Duration STORM_INTERVAL = Duration.ofMillis(150);
    private static final int SLOW_MILLIS = 150;
    private static final int VERY_SLOW_MILLIS = 700;

    private final List<Worker> workers;
    private final DatabaseProcess database;
    private final HistoryFile history;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Nemesis(List<Worker> workers, DatabaseProcess database, HistoryFile history) {
        this.workers = workers;
        this.database = database;
        this.history = history;
    }

    /** Returns when the time is over, the last fault has ended and everybody is back. */
    void play(List<Entry> schedule, Duration length) throws InterruptedException {
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (Worker worker : workers) {
            threads.add(start(worker.name(), schedule, start, entry -> afflict(worker, entry)));
        }
        threads.add(start(Schedule.DATABASE, schedule, start, this::afflictDatabase));
        sleepUntil(start + length.toNanos());
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("The harness itself failed", failure.get());
        }
        history.add("healed");
    }

    private interface Affliction {
        void cause(Entry entry) throws InterruptedException;
    }

    private Thread start(String target, List<Entry> schedule, long start, Affliction affliction) {
        Thread thread = new Thread(
                () -> {
                    try {
                        for (Entry entry : schedule) {
                            if (entry.target().equals(target)) {
                                sleepUntil(start + entry.at().toNanos());
                                affliction.cause(entry);
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

    private void afflict(Worker worker, Entry entry) throws InterruptedException {
        Duration length = entry.length();
        begin(entry, worker.life());
        switch (entry.fault()) {
            case KILL -> {
                worker.kill();
                sleep(length);
                worker.start();
            }
            case STOP -> {
                worker.stop();
                sleep(length);
                worker.start();
            }
            case FREEZE, FREEZE_LONG -> {
                worker.freeze();
                sleep(length);
                worker.resume();
            }
            case PARTITION, PARTITION_LONG -> cut(worker, Link.Cut.BOTH_WAYS, length);
            case LOSE_REQUESTS -> cut(worker, Link.Cut.REQUESTS, length);
            case LOSE_ANSWERS -> cut(worker, Link.Cut.ANSWERS, length);
            case LOSE_SOME -> cut(worker, Link.Cut.SOME, length);
            case SLOW -> slow(worker, SLOW_MILLIS, length);
            case VERY_SLOW -> slow(worker, VERY_SLOW_MILLIS, length);
            case RESET -> worker.link().reset();
            case RESET_STORM -> {
                long end = System.nanoTime() + length.toNanos();
                while (System.nanoTime() < end) {
                    worker.link().reset();
                    sleep(STORM_INTERVAL);
                }
            }
            default -> throw new IllegalStateException(entry + " is none of a worker's");
        }
        history.add("fault-over", "target", worker.life(), "fault", entry.fault());
    }

    private static void cut(Worker worker, Link.Cut cut, Duration length) throws InterruptedException {
        worker.link().cut(cut);
        sleep(length);
        worker.link().heal();
    }

    private static void slow(Worker worker, int millis, Duration length) throws InterruptedException {
        worker.link().slow(millis);
        sleep(length);
        worker.link().heal();
    }

    private void afflictDatabase(Entry entry) throws InterruptedException {
        begin(entry, Schedule.DATABASE);
        switch (entry.fault()) {
            case DATABASE_KILL -> {
                database.kill();
                sleep(entry.length());
                database.start();
            }
            case DATABASE_FREEZE, DATABASE_FREEZE_LONG -> {
                database.freeze();
                sleep(entry.length());
                database.resume();
            }
            case DATABASE_RESET -> workers.forEach(worker -> worker.link().reset());
            default -> throw new IllegalStateException(entry + " is none of the database's");
        }
        history.add("fault-over", "target", Schedule.DATABASE, "fault", entry.fault());
    }

    private void begin(Entry entry, String target) {
        history.add(
                "fault",
                "target",
                target,
                "fault",
                entry.fault(),
                "millis",
                entry.length().toMillis());
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        sleep(Duration.ofNanos(nanos - System.nanoTime()));
    }

    private static void sleep(Duration length) throws InterruptedException {
        if (!length.isNegative()) {
            Thread.sleep(length.toMillis());
        }
    }
}
