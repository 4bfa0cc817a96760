package io.dynamolock.scale;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Writes the table of {@code benchmarks/scaling.md} to {@code target/scale.md}. Run by hand; {@code -Dscale.seed=N} for
 * other random numbers.
 */
class ScaleTables {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int[] PROCESSES = {10, 100, 1_000};

    private final long seed = Long.getLong("scale.seed", 1);

    @Test
    void oneKey() throws IOException {
        try (PrintStream out =
                new PrintStream(Files.newOutputStream(Path.of("target", "scale.md")), true, StandardCharsets.UTF_8)) {
            for (int sectionMillis : new int[] {0, 50}) {
                for (int processes : PROCESSES) {
                    row(out, processes, 10 * processes, sectionMillis, DynamoLockSystem.USUAL_QUEUE);
                }
            }
            row(out, 1, 10_000, 0, DynamoLockSystem.USUAL_QUEUE);
            for (int maxQueue : new int[] {50, 100, 400}) {
                row(out, 1_000, 10_000, 0, maxQueue);
            }
        }
    }

    private void row(PrintStream out, int processes, int callers, int sectionMillis, int maxQueue) {
        Duration section = Duration.ofMillis(sectionMillis);
        Contention.Load load = new Contention.Load(processes, callers, 1, section, SECOND, LIMIT);
        Contention.Result result = Contention.run(load, maxQueue, seed);
        Ledger ledger = result.ledger();
        Usage usage = result.usage();
        out.printf(
                Locale.ROOT,
                "| %,d | %,d | %d ms | %d | %,d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %,d | %,d |%n",
                processes,
                callers,
                sectionMillis,
                maxQueue,
                ledger.releases(),
                figure(result.sectionsPerSecond()),
                figure(result.perSection(usage.lockWrites())),
                figure(result.perSection(usage.lifeWrites())),
                figure(result.perSection(usage.lockReads())),
                figure(result.perSection(usage.lifeReads())),
                figure(result.perSection((double) usage.throttled())),
                seconds(ledger.waited(0.5)),
                seconds(ledger.waited(0.99)),
                seconds(ledger.waited(1)),
                ledger.outOfOrder(),
                ledger.overlaps());
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
