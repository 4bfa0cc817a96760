package io.dynamolock.chaos;

import io.dynamolock.chaos.WorkerSettings.Discipline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** A worker, which has several processes one after the other. Used by one thread at a time. */
final class Worker {

    static final int THREADS = 3;

    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    final String name;
    final Link link;
    private final int keys;
    private final Discipline discipline;
    private final long seed;
    private final Path folder;
    private final HistoryFile history;
    /** The present process, or the last one. */
    ChildProcess process;

    private int lives;

    /** @param keys how many locks are for one holder at a time, see {@link Keys#of} */
    Worker(String name, Link link, int keys, Discipline discipline, long seed, Path folder, HistoryFile history) {
        this.name = name;
        this.link = link;
        this.keys = keys;
        this.discipline = discipline;
        this.seed = seed;
        this.folder = folder;
        this.history = history;
    }

    /** The present process, or the last one. */
    String life() {
        return name + "." + lives;
    }

    void start() {
        lives++;
        WorkerSettings settings = new WorkerSettings(
                life(), link.endpoint(), keys, seed + lives, discipline, folder.resolve(life() + ".history"));
        history.add("starting target=%s", life());
        process = ChildProcess.start(
                life(),
                List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                WorkerMain.class,
                folder.resolve(life() + ".log"),
                settings.arguments());
    }

    /** Waits until the worker has begun its work, which may take long on a busy machine. */
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

    /** Asks the process to end, and waits for that. */
    void stop() throws InterruptedException {
        process.signal("TERM");
        boolean ended = process.awaitEnd(STOP_LIMIT);
        if (!ended) {
            dumpThreads();
            process.kill();
        }
        history.add((ended ? "stopped" : "hung") + " target=%s", life());
    }

    void drain() {
        process.tell(WorkerMain.DRAIN);
    }

    /** Waits until the process has done its last work and ended by itself. */
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

    void close() throws InterruptedException, IOException {
        if (process != null) {
            process.kill();
        }
        link.close();
    }
}
