package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.Contention;
import io.dynamolock.benchmarks.load.ContentionResult;
import io.dynamolock.benchmarks.load.WaitingRun;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.report.Chart;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One lock that several processes want all the time, and what it costs them to wait for it. */
public final class HotKeyAcrossProcesses implements Scenario {

    private static final int PROCESSES = 4;
    private static final int THREADS = 4;
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration MEASURED = Duration.ofSeconds(15);
    private static final Duration SETTLED = Duration.ofSeconds(3);
    private static final Duration WAITED = Duration.ofSeconds(15);

    @Override
    public int number() {
        return 3;
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        Chart throughput =
                new Chart("3-across-throughput", "One key, 4 processes with 4 threads each", "sections a second", true);
        Chart handOver = new Chart(
                "3-across-hand-over", "From release to the next grant in another process, median", "ms", true);
        List<Table> tables = new ArrayList<>();
        for (Duration section : List.of(Duration.ZERO, Duration.ofMillis(10))) {
            String variant = "sections of " + section.toMillis() + " ms";
            Rounds rounds = Rounds.of(
                    bench,
                    "3: " + variant,
                    round -> Contention.onOneKey(
                            "across-" + section.toMillis() + "-" + round,
                            PROCESSES,
                            THREADS,
                            section,
                            bench.scaled(WARM_UP),
                            bench.scaled(MEASURED)));
            tables.add(table(bench, variant, rounds));
            for (Peer peer : bench.peers()) {
                throughput.bar(peer.title(), variant, rounds.median(peer, ContentionResult::sectionsPerSecond));
                handOver.bar(
                        peer.title(),
                        variant,
                        rounds.median(peer, r -> r.handOversAcross().medianMillis()));
            }
        }
        tables.add(waiting(bench));
        return new ScenarioReport(
                number(),
                "One hot key in four processes",
                "The processes are instances in one JVM, each with its own client and knowing nothing of the others; four"
                        + " threads of each contend. Hand-overs are timed from the beginning of a release to the next"
                        + " grant. The last table is of the same 16 threads while one of them holds the lock all the time"
                        + " and 15 wait; at their price, a read unit counts a fifth of a write unit, as on demand.",
                tables,
                List.of(throughput, handOver));
    }

    private static Table table(Bench bench, String variant, Rounds rounds) {
        Table table = new Table(
                "4 processes with 4 threads, " + variant,
                Metric.timed("sections a second", 1),
                Metric.timed("to another process p50, ms", 1),
                Metric.timed("to another process p99, ms", 1),
                Metric.timed("within a process p50, ms", 2),
                Metric.counted("grants to another process", 0),
                Metric.counted("writes per section", 2),
                Metric.counted("reads per section", 2),
                Metric.counted("write units per section", 2),
                Metric.counted("read units per section", 2),
                Metric.counted("overlaps", 0),
                Metric.counted("failures", 0));
        for (Peer peer : bench.peers()) {
            table.row(
                    peer.title(),
                    rounds.median(peer, ContentionResult::sectionsPerSecond),
                    rounds.median(peer, r -> r.handOversAcross().medianMillis()),
                    rounds.median(peer, r -> r.handOversAcross().percentileMillis(99)),
                    rounds.median(peer, r -> r.handOversWithin().medianMillis()),
                    rounds.sum(peer, r -> r.handOversAcross().size()),
                    rounds.median(peer, ContentionResult::writesPerSection),
                    rounds.median(peer, ContentionResult::readsPerSection),
                    rounds.median(peer, ContentionResult::writeUnitsPerSection),
                    rounds.median(peer, ContentionResult::readUnitsPerSection),
                    rounds.sum(peer, ContentionResult::overlaps),
                    rounds.sum(peer, ContentionResult::failures));
        }
        return table;
    }

    private static Table waiting(Bench bench) throws InterruptedException {
        Table table = new Table(
                "Held all the time, 15 threads wait: a second of waiting",
                Metric.counted("writes", 2),
                Metric.counted("reads", 2),
                Metric.counted("write units", 2),
                Metric.counted("read units", 2),
                Metric.timed("units together", 2),
                Metric.timed("units at their price", 2),
                Metric.counted("ended early", 0));
        WaitingRun run = new WaitingRun(
                "across-waiting",
                PROCESSES,
                PROCESSES * THREADS - 1,
                false,
                bench.scaled(SETTLED),
                bench.scaled(WAITED));
        for (Peer peer : bench.peers()) {
            bench.progress("3: waiting: " + peer.id());
            WaitingRun.Result result = run.with(peer, bench.database(), bench.table(peer));
            table.row(
                    peer.title(),
                    result.used().writes() / result.seconds(),
                    result.used().reads() / result.seconds(),
                    result.used().writeUnits() / result.seconds(),
                    result.used().readUnits() / result.seconds(),
                    result.used().units() / result.seconds(),
                    result.used().pricedUnits() / result.seconds(),
                    result.early());
        }
        return table;
    }
}
