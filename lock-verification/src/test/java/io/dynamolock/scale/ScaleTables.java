package io.dynamolock.scale;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Prints the tables of {@code docs/scaling.md}, which tells how to run it: {@code mvn verify} does not.
 * {@code -Dscale.seed=N} for other random numbers.
 */
class ScaleTables {

    private static final int PROCESSES = 1_000;
    private static final int WAITERS = 10_000;
    private static final List<Integer> KEYS = List.of(1, 10, 100, 1_000, 10_000);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SECTION = Duration.ofMillis(50);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int CRASHES = 20;

    private final PrintStream out = System.out;
    private final long seed = Long.getLong("scale.seed", 1);

    @Test
    void burst() {
        for (Duration section : List.of(Duration.ZERO, SECTION)) {
            head("10,000 callers in 1,000 processes ask within a second, sections of " + section.toMillis() + " ms");
            for (int keys : KEYS) {
                rows(new Contention.Load(PROCESSES, WAITERS, keys, section, SECOND, LIMIT));
            }
        }
    }

    @Test
    void oneProcess() {
        head("10,000 callers in one process ask within a second, sections of 0 ms");
        Contention.Load load = new Contention.Load(1, WAITERS, 1, Duration.ZERO, SECOND, LIMIT);
        // The callers of the others share nothing: to them one process is as good as a thousand.
        row(Contestant.DYNAMOLOCK, Contention.run(Contestant.DYNAMOLOCK, load, seed));
    }

    @Test
    void steady() {
        head("Each key is asked for five times a second in 1,000 processes, sections of 50 ms");
        for (int keys : List.of(1, 10, 100, 1_000)) {
            Duration within = Duration.ofSeconds(keys < 100 ? 60 : keys < 1_000 ? 20 : 4);
            int callers = (int) (5 * keys * within.toSeconds());
            rows(new Contention.Load(PROCESSES, callers, keys, SECTION, within, LIMIT));
        }
    }

    @Test
    void crash() {
        out.printf("%n### How long until the next one holds the lock, %d times each%n%n", CRASHES);
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

    private void rows(Contention.Load load) {
        for (Contestant contestant : Contestant.values()) {
            row(contestant, Contention.run(contestant, load, seed));
        }
    }

    private void row(Contestant contestant, Contention.Result result) {
        Ledger ledger = result.ledger();
        Usage usage = result.usage();
        out.printf(
                Locale.ROOT,
                "| %,d | %s | %,d%s | %s | %s | %s | %s | %s | %s | %s | %,d | %,d |%n",
                result.load().keys(),
                contestant,
                ledger.releases(),
                result.isFinished() ? "" : String.format(Locale.ROOT, " of %,d", ledger.asks()),
                figure(result.sectionsPerSecond()),
                figure(result.perSection(usage.lockWrites())),
                figure(result.perSection(usage.lifeWrites())),
                figure(result.perSection(usage.lockReads())),
                figure(result.perSection(usage.lifeReads())),
                figure(result.perSection(usage.throttled())),
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
        return String.format(
                Locale.ROOT, value < 0.005 ? "0" : value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f", value);
    }
}
