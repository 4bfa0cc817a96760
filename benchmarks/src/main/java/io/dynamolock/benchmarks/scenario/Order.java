package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.Contention;
import io.dynamolock.benchmarks.load.ContentionResult;
import io.dynamolock.benchmarks.load.ContentionRun;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import io.dynamolock.benchmarks.report.Chart;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.report.Table;
import io.dynamolock.benchmarks.report.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order of the grants, and which callers never get the lock. */
public final class Order implements Scenario {

    private static final int PROCESSES = 4;
    private static final int CONTENDERS = 200;
    private static final Duration SECTION = Duration.ofMillis(10);
    private static final Duration SPREAD = Duration.ofSeconds(2);
    private static final Duration MEASURED = Duration.ofSeconds(60);
    private static final double LONGEST_OVER_MEDIAN = 3;
    /**
     * Two callers of different processes that ask at about the same time are served in the order in which their writes
     * arrive.
     */
    private static final Duration RACE = Duration.ofMillis(100);

    @Override
    public int number() {
        return 4;
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        int perProcess = Math.max(1, bench.sized(CONTENDERS) / PROCESSES);
        Table table = new Table(
                PROCESSES * perProcess + " contenders in " + PROCESSES + " processes",
                Metric.counted("grants", 0),
                Metric.counted("grants that passed an earlier one", 0),
                Metric.counted("by more than " + RACE.toMillis() + " ms", 0),
                Metric.counted("by at most, ms", 0),
                Metric.timed("wait p50, ms", 0),
                Metric.timed("wait p99, ms", 0),
                Metric.timed("longest wait, ms", 0),
                Metric.counted("longest over median", 1),
                Metric.counted("starved", 0),
                Metric.counted("overlaps", 0),
                Metric.counted("failures", 0));
        Chart chart = new Chart("4-order", "Longest wait over median wait", "times", true);
        Chart passed = new Chart("4-passed", "Grants that passed somebody who asked earlier", "percent", false);
        List<Target> targets = new ArrayList<>();
        for (Peer peer : bench.peers()) {
            Contention contention = Contention.onOneKey(
                            "order", PROCESSES, perProcess, SECTION, Duration.ZERO, bench.scaled(MEASURED))
                    .withSpread(bench.scaled(SPREAD));
            @Nullable
            ContentionResult result = bench.attempt(
                            "4: order",
                            peer,
                            () -> ContentionRun.of(peer, bench.database(), bench.table(peer), contention))
                    .orElse(null);
            if (result == null) {
                table.failedRow(peer.title());
                continue;
            }
            double ratio = result.longestWaitMillis() / result.waits().medianMillis();
            table.row(
                    peer.title(),
                    result.sections(),
                    result.inversions(Duration.ZERO),
                    result.inversions(RACE),
                    result.largestInversionMillis(),
                    result.waits().medianMillis(),
                    result.waits().percentileMillis(99),
                    result.longestWaitMillis(),
                    ratio,
                    result.starved(),
                    result.overlaps(),
                    (double) result.failures());
            if (Peers.isOurs(peer)) {
                targets.addAll(targets(PROCESSES * perProcess, result, ratio));
            }
            chart.bar(peer.title(), "longest / median", ratio);
            passed.bar(peer.title(), "passed", 100.0 * result.inversions(RACE) / result.sections());
        }
        return new ScenarioReport(
                number(),
                "Order",
                "The contenders start one after the other, within two seconds, and each asks again as soon as it has had its"
                        + " section of 10 ms. A grant passed an earlier one if somebody who had asked before was still"
                        + " waiting. The order of arrival is that of the calls; a lock can only know the order in"
                        + " which its writes reach the table, hence the column with a margin. Longest waits include"
                        + " those that had not ended. Starved contenders got no turn in the measured time. One round.",
                List.of(table),
                List.of(chart, passed),
                targets);
    }

    /** Not a number without any grant: "nobody was passed" would say nothing then. */
    private static double figure(ContentionResult result, double count) {
        return result.sections() == 0 ? Double.NaN : count;
    }

    private static List<Target> targets(int contenders, ContentionResult result, double ratio) {
        String who = contenders + " contenders: ";
        int passed = result.inversions(RACE);
        return List.of(
                Target.atMost(
                        who + "grants that passed somebody who asked more than " + RACE.toMillis() + " ms earlier",
                        0,
                        figure(result, passed),
                        "0",
                        passed + " of " + result.sections() + ", the largest by "
                                + Words.number(result.largestInversionMillis(), 0) + " ms"),
                Target.below(
                        who + "longest over median wait",
                        LONGEST_OVER_MEDIAN,
                        ratio,
                        "< " + Words.number(LONGEST_OVER_MEDIAN, 0),
                        Words.number(ratio, 2) + " (" + Words.number(result.longestWaitMillis(), 0) + " ms, "
                                + Words.number(result.waits().medianMillis(), 0) + " ms)"),
                Target.atMost(
                        who + "starved", 0, figure(result, result.starved()), "0", Integer.toString(result.starved())),
                Target.atMost(
                        who + "overlaps",
                        0,
                        figure(result, result.overlaps()),
                        "0",
                        Integer.toString(result.overlaps())));
    }
}
