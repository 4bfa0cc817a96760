package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.Contention;
import io.dynamolock.benchmarks.load.ContentionResult;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.report.Chart;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One lock that many threads of one process want all the time. */
public final class HotKey implements Scenario {

    private static final List<Integer> THREADS = List.of(1, 4, 16, 64, 256);
    private static final List<Duration> SECTIONS = List.of(Duration.ZERO, Duration.ofMillis(10));
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration MEASURED = Duration.ofSeconds(6);

    @Override
    public int number() {
        return 2;
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        List<Table> tables = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
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
                tables.add(table(bench, variant + ", sections of " + length, rounds));
                for (Peer peer : bench.peers()) {
                    chart.bar(peer.title(), variant, rounds.median(peer, ContentionResult::sectionsPerSecond));
                }
            }
        }
        return new ScenarioReport(
                number(),
                "One hot key in one process",
                "Every thread takes the lock, stays in its section, releases it, and begins again. The share of the limit is"
                        + " the share of the time in which some thread is in its section: a lock that costs nothing"
                        + " would have 1. It says nothing where sections are empty. Overlaps are sections that began"
                        + " before the one before had ended.",
                tables,
                charts);
    }

    private static Table table(Bench bench, String variant, Rounds rounds) {
        Table table = new Table(
                variant,
                Metric.timed("sections a second", 1),
                Metric.counted("share of the limit", 3),
                Metric.timed("wait p50, ms", 2),
                Metric.timed("wait p99, ms", 2),
                Metric.counted("writes per section", 3),
                Metric.counted("reads per section", 3),
                Metric.counted("write units per section", 3),
                Metric.counted("read units per section", 3),
                Metric.counted("overlaps", 0),
                Metric.counted("failures", 0));
        for (Peer peer : bench.peers()) {
            table.row(
                    peer.title(),
                    rounds.median(peer, ContentionResult::sectionsPerSecond),
                    rounds.median(peer, ContentionResult::busyShare),
                    rounds.median(peer, r -> r.waits().medianMillis()),
                    rounds.median(peer, r -> r.waits().percentileMillis(99)),
                    rounds.median(peer, ContentionResult::writesPerSection),
                    rounds.median(peer, ContentionResult::readsPerSection),
                    rounds.median(peer, ContentionResult::writeUnitsPerSection),
                    rounds.median(peer, ContentionResult::readUnitsPerSection),
                    rounds.sum(peer, ContentionResult::overlaps),
                    rounds.sum(peer, ContentionResult::failures));
        }
        return table;
    }
}
