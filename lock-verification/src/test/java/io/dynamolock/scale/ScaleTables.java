package io.dynamolock.scale;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Prints the tables of {@code docs/scaling.md}, which tells how to run it. {@code -Dscale.seed=N} for other random
 * numbers, {@code -Dscale.only=burst} for one of {@code burst}, {@code process}, {@code steady}, {@code key},
 * {@code crash} and {@code wait}.
 */
public final class ScaleTables {

    private static final int PROCESSES = 1_000;
    private static final int WAITERS = 10_000;
    private static final List<Integer> KEYS = List.of(1, 10, 100, 1_000, 10_000);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SECTION = Duration.ofMillis(10);
    private static final int CRASHES = 200;

    private final PrintStream out = System.out;
    private final long seed = Long.getLong("scale.seed", 1);
    private final String only = System.getProperty("scale.only", "");

    private ScaleTables() {}

    public static void main(String[] arguments) {
        ScaleTables tables = new ScaleTables();
        tables.ifWanted("burst", tables::burst);
        tables.ifWanted("process", tables::oneProcess);
        tables.ifWanted("steady", tables::steady);
        tables.ifWanted("key", tables::oneKey);
        tables.ifWanted("crash", tables::crash);
        tables.ifWanted("wait", tables::waiting);
    }

    private void ifWanted(String name, Runnable table) {
        if (only.isEmpty() || only.equals(name)) {
            table.run();
        }
    }

    private void burst() {
        for (Duration section : List.of(Duration.ZERO, SECTION)) {
            contentionHead("10,000 callers in 1,000 processes ask within a second, sections of " + millis(section));
            for (int keys : KEYS) {
                for (Contestant contestant : Contestant.ALL) {
                    row(contestant, new Contention.Load(PROCESSES, WAITERS, keys, section, SECOND, minutes(5)));
                }
            }
        }
    }

    private void oneProcess() {
        for (Duration section : List.of(Duration.ZERO, SECTION)) {
            contentionHead("10,000 callers in one process ask within a second, sections of " + millis(section));
            for (Contestant contestant : Contestant.ALL) {
                row(contestant, new Contention.Load(1, WAITERS, 1, section, SECOND, minutes(5)));
            }
        }
    }

    private void steady() {
        contentionHead("each key is asked for 10 times a second, at random, in 1,000 processes, sections of 10 ms");
        for (int keys : KEYS) {
            Duration within = Duration.ofSeconds(keys < 1_000 ? 60 : keys < 10_000 ? 20 : 5);
            int callers = (int) (10L * keys * within.toSeconds());
            for (Contestant contestant : Contestant.ALL) {
                row(contestant, new Contention.Load(PROCESSES, callers, keys, SECTION, within, within.plusSeconds(60)));
            }
        }
    }

    private void oneKey() {
        contentionHead("one key asked for by 1,000 processes at a rising rate for a minute, sections of 10 ms");
        for (int perSecond : List.of(2, 5, 10, 20, 30, 40, 60)) {
            for (Contestant contestant : Contestant.values()) {
                Duration within = Duration.ofMinutes(1);
                int callers = (int) (perSecond * within.toSeconds());
                row(contestant, new Contention.Load(PROCESSES, callers, 1, SECTION, within, minutes(5)));
            }
        }
    }

    private void contentionHead(String title) {
        out.printf("%n### %s%n%n", title);
        out.println("| keys | lock | sections | in | sections/s | writes | reads | heartbeat writes | session reads"
                + " | wait p50 | p99 | max | out of order | throttled |");
        out.println("| --: | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
    }

    private void row(Contestant contestant, Contention.Load load) {
        Contention.Result result = Contention.run(contestant, load, seed);
        Ledger ledger = result.ledger();
        Usage usage = result.usage();
        Waits waits = ledger.waits();
        if (ledger.overlaps() > 0) {
            throw new AssertionError(ledger.overlaps() + " times two holders: " + contestant + " " + load);
        }
        out.printf(
                Locale.ROOT,
                "| %,d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %.0f %% | %,d |%n",
                load.keys(),
                contestant,
                result.isFinished()
                        ? String.format(Locale.ROOT, "%,d", ledger.releases())
                        : String.format(Locale.ROOT, "%,d of %,d", ledger.releases(), ledger.asks()),
                seconds(result.lasted()),
                figure(result.sectionsPerSecond()),
                figure(result.perSection(usage.lockWrites())),
                figure(result.perSection(usage.lockReads())),
                figure(result.perSection(usage.lifeWrites())),
                figure(result.perSection(usage.lifeReads())),
                seconds(waits.percentile(0.5)),
                seconds(waits.percentile(0.99)),
                seconds(waits.longest()),
                100.0 * ledger.outOfOrder() / Math.max(1, ledger.grants()),
                usage.throttled());
        out.flush();
    }

    private void crash() {
        out.printf("%n### Until the next one holds the lock, over %d seeds%n%n", CRASHES);
        out.println("| what happens | lock | p50 | p99 | max |");
        out.println("| --- | --- | --: | --: | --: |");
        for (Crash.Kind kind : Crash.Kind.values()) {
            for (Contestant contestant : Contestant.ALL) {
                Waits waits = Crash.run(contestant, kind, seed, CRASHES);
                out.printf(
                        "| %s | %s | %s | %s | %s |%n",
                        kind,
                        contestant,
                        seconds(waits.percentile(0.5)),
                        seconds(waits.percentile(0.99)),
                        seconds(waits.longest()));
                out.flush();
            }
        }
    }

    private void waiting() {
        out.printf("%n### What waiting for one lock uses, units a second%n%n");
        out.println("| processes | callers in each | lock | reads of the lock | session reads | writes | throttled calls |");
        out.println("| --: | --: | --- | --: | --: | --: | --: |");
        for (int processes : List.of(1, 10, 100, 1_000)) {
            for (int callers : processes == 1_000 ? List.of(0, 1, 10) : List.of(1, 10)) {
                for (Contestant contestant : Contestant.ALL) {
                    Usage usage = Standstill.run(contestant, processes, callers, seed);
                    double seconds = Standstill.MEASURED.toSeconds();
                    out.printf(
                            "| %d | %d | %s | %s | %s | %s | %s |%n",
                            processes,
                            callers,
                            contestant,
                            figure(usage.lockReads() / seconds),
                            figure(usage.lifeReads() / seconds),
                            figure(usage.writes() / seconds),
                            figure(usage.throttled() / seconds));
                    out.flush();
                }
            }
        }
    }

    private static Duration minutes(int minutes) {
        return Duration.ofMinutes(minutes);
    }

    private static String millis(Duration duration) {
        return duration.toMillis() + " ms";
    }

    private static String seconds(Duration duration) {
        double seconds = duration.toNanos() / 1e9;
        return seconds < 1
                ? String.format(Locale.ROOT, "%.0f ms", seconds * 1e3)
                : String.format(Locale.ROOT, seconds < 100 ? "%.1f s" : "%.0f s", seconds);
    }

    /** Three digits, or as many as there are before the point. */
    private static String figure(double value) {
        if (value == 0) {
            return "0";
        }
        return String.format(Locale.ROOT, value < 1 ? "%.3f" : value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f", value);
    }
}
