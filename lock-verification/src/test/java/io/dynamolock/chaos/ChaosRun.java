package io.dynamolock.chaos;

import io.dynamolock.DynamoLocks;
import io.dynamolock.chaos.Schedule.Entry;
import io.dynamolock.chaos.WorkerSettings.Discipline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** One run: starts everything, lets the faults happen, heals, and waits until all have done their last work. */
final class ChaosRun {

    private static final Duration LAST_WORK_LIMIT = Duration.ofSeconds(90);

    private final long seed;
    private final Duration length;
    private final int workerCount;
    private final Worker.Tables tables;
    private final Discipline discipline;
    private final Path folder;

    ChaosRun(long seed, Duration length, int workerCount, int keys, Discipline discipline, Path folder) {
        this.seed = seed;
        this.length = length;
        this.workerCount = workerCount;
        this.tables = new Worker.Tables("locks", "registers", keys);
        this.discipline = discipline;
        this.folder = folder;
    }

    int lastGrantsOfEach() {
        return Worker.THREADS * tables.keys();
    }

    Path folder() {
        return folder;
    }

    List<Entry> schedule() {
        return Schedule.of(seed, workerNames(), length);
    }

    private List<String> workerNames() {
        return IntStream.range(0, workerCount).mapToObj(i -> "w" + i).toList();
    }

    /** Leaves the histories in the folder. */
    Verdict play() throws InterruptedException {
        makeEmpty(folder);
        try (HistoryFile history = new HistoryFile(folder.resolve("harness.history"), "harness")) {
            history.add("seed", "target", "-", "seed", seed, "length", length, "discipline", discipline);
            for (Entry entry : schedule()) {
                history.add(
                        "planned",
                        "target",
                        entry.target(),
                        "at",
                        entry.at(),
                        "fault",
                        entry.fault(),
                        "millis",
                        entry.length().toMillis());
            }
            Path data = folder.resolve("data");
            makeEmpty(data);
            DatabaseProcess database = new DatabaseProcess(data, folder.resolve("database.log"));
            try {
                play(database, history);
            } finally {
                database.kill();
            }
        }
        return new Checker(lastGrantsOfEach()).check(Histories.read(folder));
    }

    private void play(DatabaseProcess database, HistoryFile history) throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        try (DynamoDbAsyncClient client = Clients.usual(database.endpoint())) {
            DynamoLocks.builder(client).tableName(tables.locks()).table().create();
            new Registers(client, tables.registers(), tables.locks()).create(WorkerSettings.keys(tables.keys()));
            Network network = Network.ofThisMachine();
            Random seeds = new Random(seed);
            for (String name : workerNames()) {
                Link link = network.link(workers.size(), database.address());
                workers.add(new Worker(name, link, tables, discipline, seeds.nextLong(), folder, history));
            }
            workers.forEach(Worker::start);
            new Nemesis(workers, database, history).play(schedule(), length);
            for (Worker worker : workers) {
                history.add("draining", "target", worker.life());
                worker.drain();
            }
            long deadline = System.nanoTime() + LAST_WORK_LIMIT.toNanos();
            for (Worker worker : workers) {
                worker.awaitEnd(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            }
            new LastLook(client, tables, history).take();
        } finally {
            for (Worker worker : workers) {
                worker.close();
            }
        }
    }

    private static void makeEmpty(Path folder) {
        try {
            if (Files.exists(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
