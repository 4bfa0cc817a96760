package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.WaitingRun;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.report.Chart;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a thousand waiters cost while they wait. */
public final class ManyWaiters implements Scenario {

    private static final int WAITERS = 1_000;
    private static final Duration SETTLED = Duration.ofSeconds(8);
    private static final Duration MEASURED = Duration.ofSeconds(30);

    @Override
    public int number() {
        return 7;
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        int waiters = bench.sized(WAITERS);
        List<Table> tables = new ArrayList<>();
        Chart chart =
                new Chart("7-waiters", waiters + " waiters: capacity a second", "read and write units a second", true);
        for (int processes : List.of(1, 4)) {
            String variant = processes == 1 ? "in 1 process" : "in " + processes + " processes";
            Table table = new Table(
                    waiters + " waiters " + variant,
                    Metric.counted("writes a second", 1),
                    Metric.counted("reads a second", 1),
                    Metric.counted("write units a second", 1),
                    Metric.counted("read units a second", 1),
                    Metric.timed("units together", 1),
                    Metric.timed("units at their price", 1),
                    Metric.counted("heap per waiter, KB", 2),
                    Metric.counted("threads per waiter", 3),
                    Metric.counted("ended early", 0));
            tables.add(table);
            WaitingRun run = new WaitingRun(
                    "waiters-" + processes, processes, waiters, true, bench.scaled(SETTLED), bench.scaled(MEASURED));
            for (Peer peer : bench.peers()) {
                WaitingRun.@Nullable Result result = bench.attempt(
                                "7: " + variant, peer, () -> run.with(peer, bench.database(), bench.table(peer)))
                        .orElse(null);
                if (result == null) {
                    table.failedRow(peer.title());
                    continue;
                }
                // A waiter that has ended costs nothing, so the figure would look too good.
                double seconds = result.early() > 0 ? Double.NaN : result.seconds();
                double share = result.early() > 0 ? Double.NaN : waiters;
                table.row(
                        peer.title(),
                        result.used().writes() / seconds,
                        result.used().reads() / seconds,
                        result.used().writeUnits() / seconds,
                        result.used().readUnits() / seconds,
                        result.used().units() / seconds,
                        result.used().pricedUnits() / seconds,
                        result.heapKb() / share,
                        result.threads() / share,
                        result.early());
                chart.bar(peer.title(), variant, result.used().units() / seconds);
            }
        }
        return new ScenarioReport(
                number(),
                "A thousand waiters",
                "One more process holds the lock all the time. The waiters wait in the way that costs their lock least: a"
                        + " thread for each, or an asynchronous call where the lock has one. A figure of calls that"
                        + " the database cannot answer in time is lower than what the lock would like to do: DynamoDB"
                        + " Local manages some hundred calls a second. The processes are instances in one JVM; heap"
                        + " is after a collection, and thread stacks come on top of it. At their price, a read unit counts a"
                        + " fifth of a write unit, as on demand. A dash: some waiters ended before the time was over, because"
                        + " the lock they waited for expired under its holder or their calls failed.",
                tables,
                List.of(chart),
                List.of());
    }
}
