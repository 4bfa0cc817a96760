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
import java.util.Optional;

/** A lock that nobody else wants. */
public final class Uncontended implements Scenario {

    /** Tolerance for heartbeats and for calls at the edges of the measured time, in calls per section. */
    private static final double ASIDE = 0.05;

    /** With one thread there are so few sections that the JVM's own work is most of the figure. */
    private static final double PROCESSOR_MILLIS = 0.55;

    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration MEASURED = Duration.ofSeconds(10);

    @Override
    public int number() {
        return 1;
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        Chart chart = new Chart("1-uncontended", "Acquire and release a free lock, median", "ms", false);
        List<Table> tables = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        for (int threads : List.of(1, 16)) {
            String variant = threads == 1 ? "1 thread, 1 key" : threads + " threads, each with its own key";
            Rounds rounds = Rounds.of(
                    bench,
                    "1: " + variant,
                    round -> new Contention(
                            1,
                            threads,
                            thread -> "free-" + threads + "-" + round + "-" + thread,
                            Duration.ZERO,
                            Duration.ZERO,
                            bench.scaled(WARM_UP),
                            bench.scaled(MEASURED)));
            tables.add(table(bench, variant, rounds));
            bench.ours().ifPresent(ours -> targets.addAll(targets(bench, ours, variant, threads, rounds)));
            for (Peer peer : bench.peers()) {
                chart.bar(
                        peer.title(),
                        variant,
                        rounds.median(peer, r -> r.lockTimes().medianMillis()));
            }
        }
        return new ScenarioReport(
                number(),
                "A free lock",
                "One process takes and releases locks that nobody else wants, in empty sections, as fast as it can."
                        + " The times are of an acquire and its release together. Heartbeats count where there are any.",
                tables,
                List.of(chart),
                targets);
    }

    private static List<Target> targets(Bench bench, Peer ours, String variant, int threads, Rounds rounds) {
        double writes = rounds.median(ours, ContentionResult::writesPerSection);
        double reads = rounds.median(ours, ContentionResult::readsPerSection);
        double median = rounds.median(ours, r -> r.lockTimes().medianMillis());
        Optional<Best> best = Best.lowest(
                bench, peer -> rounds.median(peer, r -> r.lockTimes().medianMillis()));
        List<Target> targets = new ArrayList<>(List.of(
                Target.below(
                        variant + ": writes per section",
                        2 + ASIDE,
                        writes,
                        "2, heartbeats aside",
                        Words.number(writes, 3)),
                Target.below(
                        variant + ": reads per section",
                        ASIDE,
                        reads,
                        "0, the watch over sessions aside",
                        Words.number(reads, 3)),
                Target.atMost(
                        variant + ": acquire and release, p50",
                        Best.figureOf(best),
                        best.isEmpty() ? Double.NaN : median,
                        "no slower than any peer",
                        Words.number(median, 2) + " ms; "
                                + best.map(b -> "the fastest peer, " + b.peer().title() + ", "
                                                + Words.number(b.figure(), 2) + " ms, ours "
                                                + Words.comparedWith(median, b.figure()))
                                        .orElse(""))));
        if (threads > 1) {
            double processor = rounds.median(ours, ContentionResult::processorMillisPerSection);
            targets.add(Target.atMost(
                    variant + ": processor time per section",
                    PROCESSOR_MILLIS,
                    processor,
                    "at most " + Words.number(PROCESSOR_MILLIS, 2) + " ms",
                    Words.number(processor, 2) + " ms"));
        }
        return targets;
    }

    private static Table table(Bench bench, String variant, Rounds rounds) {
        return rounds.table(
                bench,
                variant,
                Column.median(Metric.timed("p50, ms", 2), r -> r.lockTimes().medianMillis()),
                Column.median(Metric.timed("p90, ms", 2), r -> r.lockTimes().percentileMillis(90)),
                Column.median(Metric.timed("p99, ms", 2), r -> r.lockTimes().percentileMillis(99)),
                Column.median(Metric.timed("sections a second", 1), ContentionResult::sectionsPerSecond),
                Column.median(
                        Metric.timed("processor time per section, ms", 2), ContentionResult::processorMillisPerSection),
                Column.perSection("writes", 3, ContentionResult::writesPerSection),
                Column.perSection("reads", 3, ContentionResult::readsPerSection),
                Column.perSection("write units", 3, ContentionResult::writeUnitsPerSection),
                Column.perSection("read units", 3, ContentionResult::readUnitsPerSection),
                Column.sum("failures", ContentionResult::failures));
    }
}
