package io.dynamolock.chaos;

import io.dynamolock.LockRegistry;
import io.dynamolock.chaos.Schedule.Entry;
import io.dynamolock.chaos.WorkerSettings.Discipline;
import java.io.File;
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

/**
 * One run: starts all processes, lets the faults happen, heals them, and waits until all workers have done their last
 * work.
 */
record ChaosRun(
        long seed, Duration length, int workers, int keys, Discipline discipline, Path folder, List<Entry> schedule) {

    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Duration LAST_WORK_LIMIT = Duration.ofMinutes(3);

    static List<String> names(int workers) {
        return IntStream.range(0, workers).mapToObj(i -> "w" + i).toList();
    }

    /** Leaves the histories in the folder. */
    Verdict play() throws InterruptedException {
        delete(folder);
        folder.toFile().mkdirs();
        try (HistoryFile history = new HistoryFile(folder.resolve("harness.history"), "harness")) {
            history.add("seed target=- seed=%s length=%s discipline=%s", seed, length, discipline);
            schedule.forEach(entry -> history.add("planned target=%s entry=%s", entry.target(), entry));
            Path data = Files.createTempDirectory(dataFolder(), "dynamolock-chaos-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(data)));
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
        int lastGrants = Worker.THREADS * Keys.lastHolds(keys);
        return new Checker(lastGrants).check(Histories.read(folder));
    }

    private void play(DatabaseProcess database, HistoryFile history) throws InterruptedException, IOException {
        List<Worker> running = new ArrayList<>();
        try (DynamoDbAsyncClient client = Clients.usual(database.endpoint(), new PartialFailures())) {
            LockRegistry.builder(client).tableName(Registers.LOCKS).table().create();
            new Registers(client).create(Keys.withRegisters(keys));
            Random seeds = new Random(seed);
            for (String name : names(workers)) {
                running.add(new Worker(
                        name, new Link(database.address()), keys, discipline, seeds.nextLong(), folder, history));
            }
            running.forEach(Worker::start);
            for (Worker worker : running) {
                worker.awaitFirstGrant(START_LIMIT);
            }
            new Nemesis(running, database, history).play(schedule, length);
            for (Worker worker : running) {
                history.add("draining target=%s", worker.life());
                worker.drain();
            }
            long deadline = System.nanoTime() + LAST_WORK_LIMIT.toNanos();
            for (Worker worker : running) {
                worker.awaitEnd(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            }
            new LastLook(client, keys, history).take();
        } finally {
            for (Worker worker : running) {
                worker.close();
            }
        }
    }

    /** On a file system in memory if there is one: there, too, the data survives the end of the database. */
    private Path dataFolder() {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory) ? memory : folder;
    }

    private static void delete(Path folder) {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
