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
import java.util.Optional;

/** Locks that lie in the item that is worked on: this project's, and one written by hand after the article. */
public final class LockingReads implements Scenario {

    private static final int PROCESSES = 4;
    private static final int THREADS = 4;
    /** Tolerance for calls at the edges of the measured time, in calls per section. */
    private static final double ASIDE = 0.05;
    /** How much slower this project's may be. The hand-written one sends half of the attributes and no lease. */
    private static final double SLOWER = 1.05;

    private static final Duration RACE = Duration.ofMillis(100);
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration MEASURED = Duration.ofSeconds(10);

    @Override
    public int number() {
        return 9;
    }

    @Override
    public boolean isFor(Peer peer) {
        return Peers.isLockingRead(peer);
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        Chart free = new Chart("9-free", "Lock, read, write and unlock a free item, median", "ms", false);
        Chart hot = new Chart("9-hot", "One item, 4 processes with 4 threads each", "sections a second", false);
        List<Table> tables = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        for (int threads : List.of(1, 16)) {
            String variant = threads == 1 ? "1 thread, 1 free item" : threads + " threads, each with its own free item";
            Rounds rounds = Rounds.of(bench, "9: " + variant, round -> free(bench, threads, round));
            tables.add(freeTable(bench, variant, rounds));
            bench.ours().ifPresent(ours -> targets.addAll(freeTargets(bench, ours, variant, rounds)));
            bench.peers().forEach(peer -> free.bar(peer.title(), variant, rounds.median(peer, LockingReads::cycle)));
        }
        for (Duration section : List.of(Duration.ZERO, Duration.ofMillis(10))) {
            String variant = "sections of " + section.toMillis() + " ms";
            Rounds rounds = Rounds.of(bench, "9: hot item, " + variant, round -> hot(bench, section, round));
            tables.add(hotTable(bench, variant, rounds));
            bench.ours().ifPresent(ours -> targets.addAll(hotTargets(bench, ours, variant, rounds)));
            bench.peers()
                    .forEach(peer ->
                            hot.bar(peer.title(), variant, rounds.median(peer, ContentionResult::sectionsPerSecond)));
        }
        return new ScenarioReport(
                number(),
                "Locking reads",
                "A section locks and reads an item by one call, and writes and unlocks it by another. First, one process"
                        + " works with items that nobody else wants; the times are of both calls together. Then 16"
                        + " threads, four in each of four processes, want one item all the time. Both locks wait by"
                        + " trying again, and each try is a write; they differ in when. Waits are those that ended in"
                        + " the measured seconds, the longest also of threads that were still waiting. A section passed"
                        + " an earlier thread if one that had asked more than " + RACE.toMillis()
                        + " ms before was still waiting.",
                tables,
                List.of(free, hot),
                targets);
    }

    private static Contention free(Bench bench, int threads, int round) {
        return Contention.onFreeLocks(
                threads,
                (thread, turn) -> "free-item-" + threads + "-" + round + "-" + thread,
                bench.scaled(WARM_UP),
                bench.scaled(MEASURED));
    }

    private static Contention hot(Bench bench, Duration section, int round) {
        return Contention.onOneKey(
                "hot-item-" + section.toMillis() + "-" + round,
                PROCESSES,
                THREADS,
                section,
                bench.scaled(WARM_UP),
                bench.scaled(MEASURED));
    }

    private static double cycle(ContentionResult result) {
        return result.lockTimes().medianMillis();
    }

    private static List<Target> freeTargets(Bench bench, Peer ours, String variant, Rounds rounds) {
        double writes = rounds.median(ours, ContentionResult::writesPerSection);
        double reads = rounds.median(ours, ContentionResult::readsPerSection);
        double median = rounds.median(ours, LockingReads::cycle);
        Optional<Best> other = Best.lowest(bench, peer -> rounds.median(peer, LockingReads::cycle));
        return List.of(
                Target.below(variant + ": writes per section", 2 + ASIDE, writes, "2", Words.number(writes, 3)),
                Target.atMost(variant + ": reads per section", 0, reads, "0", Words.number(reads, 3)),
                Target.atMost(
                        variant + ": both calls, p50",
                        SLOWER,
                        median / Best.figureOf(other),
                        "at most 5 % slower than the hand-written one",
                        Words.number(median, 2) + " ms"
                                + other.map(o -> "; the hand-written one " + Words.number(o.figure(), 2) + " ms, ours "
                                                + Words.comparedWith(median, o.figure()))
                                        .orElse("")));
    }

    private static List<Target> hotTargets(Bench bench, Peer ours, String variant, Rounds rounds) {
        double wrong = rounds.sum(ours, ContentionResult::overlaps) + rounds.sum(ours, ContentionResult::failures);
        double writes = rounds.median(ours, ContentionResult::writesPerSection);
        Optional<Best> other = Best.lowest(bench, peer -> rounds.median(peer, ContentionResult::writesPerSection));
        return List.of(
                Target.atMost(
                        "hot item, " + variant + ": overlaps and failures", 0, wrong, "0", Words.number(wrong, 0)),
                Target.atMost(
                        "hot item, " + variant + ": writes per section",
                        Best.figureOf(other),
                        writes,
                        "no more than the hand-written one",
                        Words.number(writes, 2)
                                + other.map(o -> "; the hand-written one " + Words.number(o.figure(), 2))
                                        .orElse("")));
    }

    private static Table freeTable(Bench bench, String variant, Rounds rounds) {
        return rounds.table(
                bench,
                variant,
                Column.median(Metric.timed("p50, ms", 2), LockingReads::cycle),
                Column.median(Metric.timed("p99, ms", 2), r -> r.lockTimes().percentileMillis(99)),
                Column.median(Metric.timed("sections a second", 1), ContentionResult::sectionsPerSecond),
                Column.median(
                        Metric.timed("processor time per section, ms", 2), ContentionResult::processorMillisPerSection),
                Column.perSection("writes", 3, ContentionResult::writesPerSection),
                Column.perSection("reads", 3, ContentionResult::readsPerSection),
                Column.perSection("write units", 3, ContentionResult::writeUnitsPerSection),
                Column.sum("failures", ContentionResult::failures));
    }

    private static Table hotTable(Bench bench, String variant, Rounds rounds) {
        return rounds.table(
                bench,
                "1 hot item, 4 processes with 4 threads, " + variant,
                Column.median(Metric.timed("sections a second", 1), ContentionResult::sectionsPerSecond),
                Column.median(Metric.timed("wait p50, ms", 1), r -> r.waits().medianMillis()),
                Column.median(Metric.timed("wait p99, ms", 1), r -> r.waits().percentileMillis(99)),
                Column.median(Metric.timed("longest wait, ms", 0), ContentionResult::longestWaitMillis),
                Column.perSection("writes", 2, ContentionResult::writesPerSection),
                Column.perSection("reads", 2, ContentionResult::readsPerSection),
                Column.perSection("write units", 2, ContentionResult::writeUnitsPerSection),
                Column.median(Metric.counted("sections that passed an earlier thread", 0), r -> r.inversions(RACE)),
                Column.sum("threads without a turn", ContentionResult::starved),
                Column.sum("overlaps", ContentionResult::overlaps),
                Column.sum("failures", ContentionResult::failures));
    }
}
