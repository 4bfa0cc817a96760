package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.Contention;
import io.dynamolock.benchmarks.load.ContentionResult;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.report.Chart;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.report.Table;
import io.dynamolock.benchmarks.report.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One lock that many threads of one process want all the time. */
public final class HotKey implements Scenario {

    private static final List<Integer> THREADS = List.of(1, 4, 16, 64, 256);
    private static final List<Duration> SECTIONS = List.of(Duration.ZERO, Duration.ofMillis(10));
    private static final int MANY = 16;
    private static final double SHARE = 0.95;
    private static final double TIMES = 10;
    /** The least numbers of sections a second by the number of threads, with empty sections. */
    private static final Map<Integer, Integer> SECTIONS_A_SECOND = Map.of(16, 2_232, 64, 7_035, 256, 14_380);

    private static final int THREADS_OF_WRITES = 64;
    private static final double WRITES = 0.1;

    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration MEASURED = Duration.ofSeconds(4);

    @Override
    public int number() {
        return 2;
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        List<Table> tables = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        for (Duration section : SECTIONS) {
            String length = section.toMillis() + " ms";
            Chart chart = new Chart(
                    "2-hot-key-" + section.toMillis() + "ms",
                    "One key, one process, sections of " + length,
                    "sections a second",
                    true);
            charts.add(chart);
            for (int threads : THREADS) {
                String variant = threads + (threads == 1 ? " thread" : " threads");
                Rounds rounds = Rounds.of(
                        bench,
                        "2: " + variant + ", " + length,
                        round -> Contention.onOneKey(
                                "hot-" + threads + "-" + section.toMillis() + "-" + round,
                                1,
                                threads,
                                section,
                                bench.scaled(WARM_UP),
                                bench.scaled(MEASURED)));
                tables.add(table(bench, variant + ", sections of " + length, section, rounds));
                bench.ours().filter(ours -> threads >= MANY).ifPresent(ours -> {
                    if (section.isZero()) {
                        targets.add(throughput(ours, threads, rounds));
                        targets.add(besidePeers(bench, ours, threads, rounds));
                    } else {
                        targets.add(share(ours, variant, section, rounds));
                    }
                    if (section.isZero() && threads == THREADS_OF_WRITES) {
                        targets.add(writes(ours, variant, rounds));
                    }
                });
                for (Peer peer : bench.peers()) {
                    chart.bar(peer.title(), variant, rounds.median(peer, ContentionResult::sectionsPerSecond));
                }
            }
        }
        return new ScenarioReport(
                number(),
                "One hot key in one process",
                "Every thread takes the lock, stays in its section, releases it, and begins again. The share of the limit is"
                        + " that of the sections a second in which they would follow one another without a gap. Overlaps"
                        + " are sections that began before the one before had ended. Waits are those that ended in"
                        + " the measured seconds; threads without a turn waited for longer. A dash: there is no such figure,"
                        + " or nobody had a turn.",
                tables,
                charts,
                targets);
    }

    private static double share(ContentionResult result, Duration section) {
        return section.isZero() ? Double.NaN : result.sectionsPerSecond() * section.toNanos() / 1e9;
    }

    /** The figures of a lock that was granted twice at a time, or never, mean nothing. */
    private static double sound(Peer peer, Rounds rounds, double figure) {
        double wrong = rounds.sum(peer, ContentionResult::overlaps) + rounds.sum(peer, ContentionResult::failures);
        return wrong == 0 ? figure : Double.NaN;
    }

    private static Target share(Peer ours, String variant, Duration section, Rounds rounds) {
        double share = sound(ours, rounds, rounds.median(ours, result -> share(result, section)));
        return Target.atLeast(
                variant + ", sections of 10 ms: share of the limit",
                SHARE,
                share,
                "at least " + Words.number(100 * SHARE, 0) + " %",
                Words.number(100 * share, 1) + " %");
    }

    private static Target throughput(Peer ours, int threads, Rounds rounds) {
        int least = Objects.requireNonNull(SECTIONS_A_SECOND.get(threads));
        double sections = sectionsPerSecond(ours, rounds);
        return Target.atLeast(
                threads + " threads, empty sections: sections a second",
                least,
                sections,
                "at least " + Words.number(least, 0),
                Words.number(sections, 0));
    }

    private static Target besidePeers(Bench bench, Peer ours, int threads, Rounds rounds) {
        return Best.atLeast(
                threads + " threads, empty sections: sections a second",
                TIMES,
                Best.THE_BEST_PEERS,
                sectionsPerSecond(ours, rounds),
                Best.highest(bench, peer -> rounds.median(peer, ContentionResult::sectionsPerSecond)),
                "",
                0);
    }

    private static double sectionsPerSecond(Peer ours, Rounds rounds) {
        return sound(ours, rounds, rounds.median(ours, ContentionResult::sectionsPerSecond));
    }

    private static Target writes(Peer ours, String variant, Rounds rounds) {
        double writes = sound(ours, rounds, rounds.median(ours, ContentionResult::writesPerSection));
        return Target.atMost(
                variant + ", empty sections: writes per section",
                WRITES,
                writes,
                "at most " + Words.number(WRITES, 1),
                Words.number(writes, 4));
    }

    private static Table table(Bench bench, String variant, Duration section, Rounds rounds) {
        return rounds.table(
                bench,
                variant,
                Column.median(Metric.timed("sections a second", 1), ContentionResult::sectionsPerSecond),
                Column.median(Metric.counted("share of the limit", 3), result -> share(result, section)),
                Column.median(Metric.timed("wait p50, ms", 2), r -> r.waits().medianMillis()),
                Column.median(Metric.timed("wait p99, ms", 2), r -> r.waits().percentileMillis(99)),
                Column.perSection("writes", 3, ContentionResult::writesPerSection),
                Column.perSection("reads", 3, ContentionResult::readsPerSection),
                Column.perSection("write units", 3, ContentionResult::writeUnitsPerSection),
                Column.perSection("read units", 3, ContentionResult::readUnitsPerSection),
                Column.sum("threads without a turn", ContentionResult::starved),
                Column.sum("overlaps", ContentionResult::overlaps),
                Column.sum("failures", ContentionResult::failures));
    }
}
