package io.dynamolock.scale;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Writes the tables of {@code benchmarks/scaling.md}, each to a file of its own in {@code target/scale}. Run by hand;
 * {@code -Dscale.seed=N} for other random numbers.
 */
class ScaleTables {

    private static final int PROCESSES = 1_000;
    private static final int CALLERS_OF_EACH = 10;
    private static final int WAITERS = PROCESSES * CALLERS_OF_EACH;
    private static final List<Duration> SECTIONS = List.of(Duration.ZERO, Duration.ofMillis(50));
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int CRASHES = 20;
    private static final Path FOLDER = Path.of("target", "scale");

    private final long seed = Long.getLong("scale.seed", 1);
    private PrintStream out;

    @BeforeEach
    void open(TestInfo test) throws IOException {
        Files.createDirectories(FOLDER);
        Path file = FOLDER.resolve(test.getTestMethod().orElseThrow().getName() + ".md");
        out = new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8);
    }

    @AfterEach
    void close() {
        out.close();
    }

    @Test
    void oneKey() {
        for (Duration section : SECTIONS) {
            for (int processes : List.of(10, 100, 1_000)) {
                head(processes + " processes with ten callers each ask for one key within a second, sections of "
                        + section.toMillis() + " ms");
                Contention.Load load =
                        new Contention.Load(processes, processes * CALLERS_OF_EACH, 1, section, SECOND, LIMIT);
                for (Contestant contestant : Contestant.values()) {
                    row(contestant.toString(), Contention.run(contestant, load, seed));
                }
            }
        }
    }

    @Test
    void lengthOfTheQueue() {
        head("10,000 callers in 1,000 processes ask for one key within a second, sections of 0 ms,"
                + " by how many entries the queue may have");
        Contention.Load load = new Contention.Load(PROCESSES, WAITERS, 1, Duration.ZERO, SECOND, LIMIT);
        for (int most : List.of(50, 100, 200, 400)) {
            LockSystem.Kind kind = (table, processes, seed) -> new DynamoLockSystem(table, processes, seed, most);
            row(most + " entries", Contention.run(kind, load, seed));
        }
    }

    @Test
    void oneProcess() {
        head("10,000 callers in one process ask within a second, sections of 0 ms");
        Contention.Load load = new Contention.Load(1, WAITERS, 1, Duration.ZERO, SECOND, LIMIT);
        // The callers of the other one share nothing: to it one process is as good as a thousand.
        row("DynamoLock", Contention.run(Contestant.DYNAMOLOCK, load, seed));
    }

    @Test
    void crash() {
        out.printf("### How long until the next one holds the lock, %d times each%n%n", CRASHES);
        out.println("| what happens | lock | p50 | p99 | longest |");
        out.println("| --- | --- | --: | --: | --: |");
        for (Crash.Kind kind : Crash.Kind.values()) {
            for (Contestant contestant : Contestant.values()) {
                Waits waits = Crash.run(contestant, kind, seed, CRASHES);
                out.printf("| %s | %s | %s |%n", kind, contestant, percentiles(waits));
            }
        }
    }

    private void head(String title) {
        out.printf("%n### %s%n%n", title);
        out.println("| keys | lock | sections | a second | writes | heartbeats | reads | session reads"
                + " | throttled | wait p50 | p99 | longest | out of order | two holders |");
        out.println("| --: | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
    }

    private void row(String lock, Contention.Result result) {
        Ledger ledger = result.ledger();
        Usage usage = result.usage();
        out.printf(
                Locale.ROOT,
                "| %,d | %s | %,d%s | %s | %s | %s | %s | %s | %s | %s | %,d | %,d |%n",
                result.load().keys(),
                lock,
                ledger.releases(),
                result.isFinished() ? "" : String.format(Locale.ROOT, " of %,d", ledger.asks()),
                figure(result.sectionsPerSecond()),
                figure(result.perSection(usage.lockWrites())),
                figure(result.perSection(usage.lifeWrites())),
                figure(result.perSection(usage.lockReads())),
                figure(result.perSection(usage.lifeReads())),
                figure(result.perSection((double) usage.throttled())),
                percentiles(ledger.waits()),
                ledger.outOfOrder(),
                ledger.overlaps());
    }

    private static String percentiles(Waits waits) {
        return seconds(waits.percentile(0.5)) + " | " + seconds(waits.percentile(0.99)) + " | "
                + seconds(waits.longest());
    }

    private static String seconds(Duration duration) {
        double seconds = duration.toNanos() / 1e9;
        return seconds < 1
                ? String.format(Locale.ROOT, "%.0f ms", seconds * 1e3)
                : String.format(Locale.ROOT, seconds < 100 ? "%.1f s" : "%.0f s", seconds);
    }

    private static String figure(double value) {
        return value < 0.005
                ? "0"
                : String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f", value);
    }
}
