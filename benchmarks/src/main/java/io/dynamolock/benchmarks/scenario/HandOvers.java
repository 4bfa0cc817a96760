package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.HandOverRun;
import io.dynamolock.benchmarks.load.HandOverRun.Holds;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import io.dynamolock.benchmarks.report.Chart;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.Table;
import io.dynamolock.benchmarks.report.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How late a waiter of another process gets a lock that was held for long. All holds of a peer go on side by side, so
 * that it takes little more than the longest; the peers take turns.
 */
final class HandOvers {

    private static final double LATE_MILLIS = 130;

    /** As many turns as fit into the longest hold. */
    private static final List<Holds> HOLDS = List.of(
            new Holds(Duration.ofSeconds(1), 2, 20),
            new Holds(Duration.ofSeconds(10), 5, 5),
            new Holds(Duration.ofSeconds(60), 20, 1));

    /** The shortest hold that the target applies to. */
    private static final Duration LONG = Duration.ofSeconds(10);

    static final String TABLE = "A waiter in another process, after long holds: how late it gets the lock";
    static final String AFTER_TEN_SECONDS = onAverage(LONG);

    private final Table table = new Table(TABLE, metrics());
    private final Chart chart =
            new Chart("3-late", "From release to the grant of a waiter, after long holds: mean", "ms", true);
    private final List<Target> targets = new ArrayList<>();

    private HandOvers() {}

    static HandOvers of(Bench bench) throws InterruptedException {
        HandOvers handOvers = new HandOvers();
        HandOverRun run = new HandOverRun(
                "held-for-long",
                HOLDS.stream()
                        .map(holds -> new Holds(bench.scaled(holds.atLeast()), holds.sideBySide(), holds.turns()))
                        .toList());
        for (Peer peer : bench.peers()) {
            @Nullable
            List<HandOverRun.Result> results = bench.attempt(
                            "3: long holds", peer, () -> run.with(peer, bench.database(), bench.table(peer)))
                    .orElse(null);
            if (results == null) {
                handOvers.table.failedRow(peer.title());
            } else {
                handOvers.add(peer, results);
            }
        }
        return handOvers;
    }

    Table table() {
        return table;
    }

    Chart chart() {
        return chart;
    }

    List<Target> targets() {
        return targets;
    }

    private void add(Peer peer, List<HandOverRun.Result> results) {
        List<Double> row = new ArrayList<>();
        for (int i = 0; i < HOLDS.size(); i++) {
            Holds holds = HOLDS.get(i);
            HandOverRun.Result result = results.get(i);
            // Where locks are lost, the others say nothing: those that happened to be released just before.
            double mean = result.lost() > 0 ? Double.NaN : result.late().meanMillis();
            double longest = result.lost() > 0 ? Double.NaN : result.late().maxMillis();
            row.addAll(List.of(mean, longest, (double) result.lost()));
            chart.bar(peer.title(), "held for " + seconds(holds.atLeast()), mean);
            if (Peers.isOurs(peer) && holds.atLeast().compareTo(LONG) >= 0) {
                targets.add(Target.atMost(
                        "after holds of " + seconds(holds.atLeast()) + ": late on average",
                        LATE_MILLIS,
                        result.lost() > 0 ? Double.POSITIVE_INFINITY : mean,
                        "at most " + Words.number(LATE_MILLIS, 0) + " ms",
                        Words.number(mean, 0) + " ms in " + result.late().size() + " hand-overs, " + result.lost()
                                + " lost"));
            }
        }
        table.row(peer.title(), row.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static Metric[] metrics() {
        return HOLDS.stream()
                .flatMap(holds -> List.of(
                        Metric.timed(onAverage(holds.atLeast()), 0),
                        Metric.counted(seconds(holds.atLeast()) + ": longest, ms", 0),
                        Metric.counted(seconds(holds.atLeast()) + ": lost before, of " + holds.count(), 0))
                        .stream())
                .toArray(Metric[]::new);
    }

    private static String onAverage(Duration hold) {
        return seconds(hold) + ": mean, ms";
    }

    private static String seconds(Duration hold) {
        return hold.toSeconds() + " s";
    }
}
