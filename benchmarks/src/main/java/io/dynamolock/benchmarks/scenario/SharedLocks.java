package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.Contention;
import io.dynamolock.benchmarks.load.ContentionResult;
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

/** The same work on one key, with locks for one holder at a time and with locks that several hold together. */
public final class SharedLocks implements Scenario {

    private static final int PROCESSES = 4;
    private static final int THREADS = 4;
    private static final Duration SECTION = Duration.ofMillis(5);
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration MEASURED = Duration.ofSeconds(7);

    @Override
    public int number() {
        return 10;
    }

    @Override
    public boolean isFor(Peer peer) {
        return Peers.isLock(peer) || Peers.isSharing(peer);
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        String variant = "sections of " + SECTION.toMillis() + " ms";
        Rounds rounds = Rounds.of(bench, "10: " + variant, round -> contention(bench, round));
        Chart chart = new Chart("10-shared", "One key, 4 processes with 4 threads each", "sections a second", false);
        List<Target> targets = new ArrayList<>();
        for (Peer peer : bench.peers()) {
            chart.bar(peer.title(), variant, rounds.median(peer, ContentionResult::sectionsPerSecond));
            if (Peers.isOurs(peer)) {
                targets.addAll(targets(peer, rounds));
            }
        }
        return new ScenarioReport(
                number(),
                "Readers and permits",
                "Sixteen threads, four in each of four processes, want one key all the time. The processes are instances in"
                        + " one JVM, each with its own client. DynamoLock does the work three times: with the lock that"
                        + " one holds at a time, with readers who share it and writers who do not, and with permits."
                        + " Its peers have locks for one holder only, and no permits, so each has one row: in it"
                        + " readers, too, take the lock for themselves alone. ShedLock does not wait: each of its waiters"
                        + " tries again and again. Waits last from asking to holding, and are those that ended in the"
                        + " measured seconds. The most together are the sections that were under way at the same time."
                        + " Overlaps are sections that began when one was under way that must not be together with"
                        + " them: a fifth permit, or anybody beside a writer. Units are of reads and writes together.",
                List.of(table(bench, variant, rounds)),
                List.of(chart),
                targets);
    }

    private static Contention contention(Bench bench, int round) {
        return Contention.onOneKey(
                "shared-" + round, PROCESSES, THREADS, SECTION, bench.scaled(WARM_UP), bench.scaled(MEASURED));
    }

    private static List<Target> targets(Peer ours, Rounds rounds) {
        double together = rounds.max(ours, ContentionResult::mostTogether);
        // Without any grant, "nobody was together" would say nothing.
        boolean isMeasured = together > 0;
        double wrong = rounds.sum(ours, ContentionResult::overlaps) + rounds.sum(ours, ContentionResult::failures);
        String what = ours.title() + ": most together";
        String measured = Words.number(together, 0);
        return List.of(
                Peers.isSharing(ours)
                        ? Target.atLeast(what, 2, isMeasured ? together : Double.NaN, "more than 1", measured)
                        : Target.atMost(what, 1, isMeasured ? together : Double.NaN, "1", measured),
                Target.atMost(
                        ours.title() + ": overlaps and failures",
                        0,
                        isMeasured ? wrong : Double.NaN,
                        "0",
                        Words.number(wrong, 0)));
    }

    private static Table table(Bench bench, String variant, Rounds rounds) {
        return rounds.table(
                bench,
                "1 key, 4 processes with 4 threads, " + variant,
                Column.median(Metric.timed("sections a second", 1), ContentionResult::sectionsPerSecond),
                Column.perSection("writes", 2, ContentionResult::writesPerSection),
                Column.perSection("reads", 2, ContentionResult::readsPerSection),
                Column.median(Metric.timed("units a second", 1), ContentionResult::unitsPerSecond),
                Column.max("most together", ContentionResult::mostTogether),
                Column.median(Metric.timed("wait p50, ms", 1), r -> r.waits().medianMillis()),
                Column.sum("overlaps", ContentionResult::overlaps),
                Column.sum("failures", ContentionResult::failures));
    }
}
