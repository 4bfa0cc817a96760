package io.dynamolock.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Writes the tables of {@code benchmarks/scaling.md}, by {@code benchmarks/run} or by hand. {@code -Dscale.page} is the
 * page to rewrite; {@code -Dscale.seed=N} takes other random numbers, and {@code -Dscale.size=0.01} a hundredth of the
 * processes and callers, to try it out.
 */
class ScaleTables {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int[] PROCESSES = {10, 100, 1_000};
    private static final int MOST = 1_000;

    private final long seed = Long.getLong("scale.seed", 1);
    private final double size = Double.parseDouble(System.getProperty("scale.size", "1"));
    private final Path page = Path.of(System.getProperty("scale.page", "../benchmarks/scaling.md"));

    private final List<String> rows = new ArrayList<>();
    private final List<String> targets = new ArrayList<>();

    @Test
    void oneKey() throws IOException {
        for (int sectionMillis : new int[] {0, 50}) {
            for (int processes : PROCESSES) {
                Contention.Result result = row(processes, 10 * processes, sectionMillis, DynamoLockSystem.USUAL_QUEUE);
                if (processes == MOST) {
                    target(sectionMillis, result);
                }
            }
        }
        row(1, 10_000, 0, DynamoLockSystem.USUAL_QUEUE);
        for (int maxQueue : new int[] {50, 100, 400}) {
            row(MOST, 10_000, 0, maxQueue);
        }
        Files.writeString(
                page,
                new ScalePage(Files.readString(page))
                        .withRows("| processes | callers |", rows)
                        .withRows("| what | target |", targets)
                        .text());
    }

    private Contention.Result row(int processes, int callers, int sectionMillis, int maxQueue) {
        Duration section = Duration.ofMillis(sectionMillis);
        Contention.Load load = new Contention.Load(sized(processes), sized(callers), 1, section, SECOND, LIMIT);
        Contention.Result result = Contention.run(load, maxQueue, seed);
        Ledger ledger = result.ledger();
        Usage usage = result.usage();
        rows.add(String.format(
                Locale.ROOT,
                "| %,d | %,d | %d ms | %d | %,d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %,d | %,d |",
                load.processes(),
                load.callers(),
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
                ledger.overlaps()));
        return result;
    }

    private int sized(int count) {
        return Math.max(1, (int) (count * size));
    }

    /** The figure counts as the page shows it. */
    private void target(int sectionMillis, Contention.Result result) {
        double least = sectionMillis == 0 ? 668 : 18.5;
        String figure = figure(result.sectionsPerSecond());
        boolean isMet = Double.parseDouble(figure.replace(",", "")) >= least;
        targets.add(String.format(
                Locale.ROOT,
                "| %,d processes, sections of %d ms: sections a second | at least %s | %s | %s |",
                result.load().processes(),
                sectionMillis,
                figure(least),
                figure,
                isMet ? "met" : "**missed**"));
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
