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

    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Duration LAST_WORK_LIMIT = Duration.ofMinutes(3);

    private final long seed;
    private final Duration length;
    private final int workerCount;
    private final Worker.Tables tables;
    private final Discipline discipline;
    private final Path folder;
    private final List<Entry> schedule;

    ChaosRun(long seed, Duration length, int workerCount, int keys, Discipline discipline, Path folder) {
        this(seed, length, workerCount, keys, discipline, folder, Schedule.of(seed, names(workerCount), length));
    }

    ChaosRun(
            long seed,
            Duration length,
            int workerCount,
            int keys,
            Discipline discipline,
            Path folder,
            List<Entry> schedule) {
        this.seed = seed;
        this.length = length;
        this.workerCount = workerCount;
        this.tables = new Worker.Tables("locks", "registers", keys);
        this.discipline = discipline;
        this.folder = folder;
        this.schedule = schedule;
    }

    int lastGrantsOfEach() {
        return Worker.THREADS * Keys.lastHolds(tables.keys());
    }

    Path folder() {
        return folder;
    }

    private static List<String> names(int workerCount) {
        return IntStream.range(0, workerCount).mapToObj(i -> "w" + i).toList();
    }

    /** Leaves the histories in the folder. */
    Verdict play() throws InterruptedException {
        makeEmpty(folder);
        try (HistoryFile history = new HistoryFile(folder.resolve("harness.history"), "harness")) {
            history.add("seed", "target", "-", "seed", seed, "length", length, "discipline", discipline);
            for (Entry entry : schedule) {
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
            Path data = Files.createTempDirectory(dataFolder(), "dynamolock-chaos-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteQuietly(data)));
            DatabaseProcess database = new DatabaseProcess(data, folder.resolve("database.log"));
            try {
                play(database, history);
            } finally {
                database.kill();
                delete(data);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Checker(lastGrantsOfEach()).check(Histories.read(folder));
    }

    private void play(DatabaseProcess database, HistoryFile history) throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        try (DynamoDbAsyncClient client = Clients.usual(database.endpoint())) {
            DynamoLocks.builder(client).tableName(tables.locks()).table().create();
            new Registers(client, tables.registers(), tables.locks()).create(Keys.withRegisters(tables.keys()));
            Network network = Network.ofThisMachine();
            Random seeds = new Random(seed);
            for (String name : names(workerCount)) {
                Link link = network.link(workers.size(), database.address());
                workers.add(new Worker(name, link, tables, discipline, seeds.nextLong(), folder, history));
            }
            workers.forEach(Worker::start);
            for (Worker worker : workers) {
                worker.awaitFirstGrant(START_LIMIT);
            }
            new Nemesis(workers, database, history).play(schedule, length);
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

    /** In memory where there is such a file system: what the database has written survives it there, too. */
    private Path dataFolder() {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory) ? memory : folder;
    }

    private static void makeEmpty(Path folder) {
        try {
            delete(folder);
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteQuietly(Path folder) {
        try {
            delete(folder);
        } catch (IOException e) {
            System.out.println("Chaos: left behind: " + e);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
