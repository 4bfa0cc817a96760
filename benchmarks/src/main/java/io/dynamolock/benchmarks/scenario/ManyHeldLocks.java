package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.HoldingRun;
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

/** Ten thousand locks that one process holds at once. */
public final class ManyHeldLocks implements Scenario {

    private static final int LOCKS = 10_000;
    private static final int SAMPLES = 50;
    /** The default interval of this project's heartbeats. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private static final Duration HELD = Duration.ofSeconds(60);

    @Override
    public int number() {
        return 5;
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        int locks = bench.sized(LOCKS);
        Table table = new Table(
                locks + " locks held for a minute",
                Metric.timed("acquire all, s", 1),
                Metric.counted("writes a minute while held", 0),
                Metric.counted("write units a minute", 0),
                Metric.counted("heap per lock, KB", 2),
                Metric.counted("threads for all", 0),
                Metric.timed("release all, s", 1),
                Metric.counted("taken by a rival, of " + SAMPLES, 0),
                Metric.counted("lost, told at release", 0),
                Metric.counted("not acquired in time", 0),
                Metric.counted("not released in time", 0));
        List<Target> targets = new ArrayList<>();
        Chart chart =
                new Chart("5-heartbeats", locks + " locks held: writes a minute to keep them", "writes a minute", true);
        for (Peer peer : bench.peers()) {
            HoldingRun run = new HoldingRun("held", locks, bench.scaled(HELD), SAMPLES);
            HoldingRun.@Nullable Result result = bench.attempt(
                            "5: held", peer, () -> run.with(peer, bench.database(), bench.table(peer)))
                    .orElse(null);
            if (result == null) {
                table.failedRow(peer.title());
                continue;
            }
            double minutes = result.heldSeconds() / 60;
            table.row(
                    peer.title(),
                    result.acquireSeconds(),
                    result.used().writes() / minutes,
                    result.used().writeUnits() / minutes,
                    result.heapKb() / locks,
                    result.threads(),
                    result.releaseSeconds(),
                    result.taken(),
                    result.lost(),
                    result.notAcquired(),
                    result.notReleased());
            if (Peers.isOurs(peer)) {
                targets.addAll(targets(locks, result));
            }
            chart.bar(peer.title(), "writes a minute", result.used().writes() / minutes);
        }
        return new ScenarioReport(
                number(),
                "Ten thousand locks in one process",
                "64 threads acquire all locks, which are then held for a minute and released by 64 threads. For the last 26"
                        + " seconds of that minute another process tries to get " + SAMPLES
                        + " of them: what it gets, had not survived. Acquiring all may take "
                        + HoldingRun.LIMIT.toSeconds() + " s, and so may releasing all; the last columns count what was"
                        + " not done then. DynamoDB Local answers some hundred calls a second,"
                        + " which bounds the times of acquiring and releasing for all peers alike. A lock that is not"
                        + " renewed costs nothing to keep, and is not kept.",
                List.of(table),
                List.of(chart),
                targets);
    }

    private static List<Target> targets(int locks, HoldingRun.Result result) {
        // One heartbeat more than fits into the time, because the first may come at once.
        long oneSession = (long) (result.heldSeconds() / HEARTBEAT.toSeconds()) + 1;
        String held = (locks - result.notAcquired()) + " locks held: ";
        return List.of(
                Target.atMost(
                        held + "writes while they are held",
                        (double) oneSession,
                        result.notAcquired() > 0 ? Double.NaN : result.used().writes(),
                        "those of one session, at most " + oneSession + " in " + Words.number(result.heldSeconds(), 0)
                                + " s",
                        Long.toString(result.used().writes())),
                Target.atMost(
                        held + "leases that did not survive",
                        0,
                        result.taken() + result.lost() + result.notAcquired(),
                        "0",
                        result.taken() + " taken by a rival, " + result.lost() + " lost at release, "
                                + result.notAcquired() + " not acquired"));
    }
}
