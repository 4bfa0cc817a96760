package io.dynamolock.chaos;

import io.dynamolock.chaos.WorkerSettings.Discipline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** A worker through all its lives, each of them a process. Used by one thread at a time. */
final class Worker {

    static final int THREADS = 3;

    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final String name;
    private final Link link;
    private final Tables tables;
    private final Discipline discipline;
    private final long seed;
    private final Path folder;
    private final HistoryFile history;
    private ChildProcess process;
    private int lives;

    /** What the workers work on. */
    record Tables(String locks, String registers, int keys) {}

    Worker(String name, Link link, Tables tables, Discipline discipline, long seed, Path folder, HistoryFile history) {
        this.name = name;
        this.link = link;
        this.tables = tables;
        this.discipline = discipline;
        this.seed = seed;
        this.folder = folder;
        this.history = history;
    }

    String name() {
        return name;
    }

    /** The process it is now, or was last. */
    String life() {
        return name + "." + lives;
    }

    Link link() {
        return link;
    }

    void start() {
        lives++;
        WorkerSettings settings = new WorkerSettings(
                life(),
                link.endpoint(),
                tables.locks(),
                tables.registers(),
                tables.keys(),
                THREADS,
                seed + lives,
                discipline,
                folder.resolve(life() + ".history"));
        history.add("starting target=%s", life());
        process = ChildProcess.start(
                life(),
                List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                WorkerMain.class,
                folder.resolve(life() + ".log"),
                settings.arguments());
    }

    /** Waits until it does what it is for; a busy machine may take its time to start it. */
    void awaitFirstGrant(Duration within) {
        Path lines = folder.resolve(life() + ".history");
        Awaitility.await("a lock before any fault, see " + lines)
                .atMost(within)
                .until(() -> Histories.contains(lines, "grant"));
    }

    void kill() throws InterruptedException {
        process.kill();
        history.add("killed target=%s", life());
    }

    /** Asks it to end, and waits until it has. */
    void stop() throws InterruptedException {
        process.signal("TERM");
        boolean ended = process.awaitEnd(STOP_LIMIT);
        if (!ended) {
            dumpThreads();
            process.kill();
        }
        history.add((ended ? "stopped" : "hung") + " target=%s", life());
    }

    /** The one that it is now, or was last. */
    ChildProcess process() {
        return process;
    }

    void drain() {
        process.tell("drain");
    }

    /** Waits until it has done its last work and ended by itself. */
    void awaitEnd(Duration within) throws InterruptedException {
        if (process.awaitEnd(within)) {
            history.add("ended target=%s code=%s", life(), process.exitCode());
        } else {
            dumpThreads();
            history.add("stuck target=%s", life());
            process.kill();
        }
    }

    private void dumpThreads() throws InterruptedException {
        process.signal("QUIT");
        Thread.sleep(1_000);
    }

    void close() throws InterruptedException {
        if (process != null) {
            process.kill();
        }
        link.close();
    }
}
