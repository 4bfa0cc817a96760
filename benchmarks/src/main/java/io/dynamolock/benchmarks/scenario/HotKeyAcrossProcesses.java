package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.Contention;
import io.dynamolock.benchmarks.load.ContentionResult;
import io.dynamolock.benchmarks.load.Samples;
import io.dynamolock.benchmarks.load.WaitingRun;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.report.Chart;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.report.Table;
import io.dynamolock.benchmarks.report.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** One lock that several processes want all the time, and the cost of waiting for it. */
public final class HotKeyAcrossProcesses implements Scenario {

    private static final int PROCESSES = 4;
    private static final int THREADS = 4;
    private static final double HAND_OVER_TIMES = 1.2;
    private static final double TIMES_THE_BEST = 1.4;
    /** The least numbers of sections a second by the length of the sections. */
    private static final Map<Duration, Integer> SECTIONS_A_SECOND =
            Map.of(Duration.ZERO, 330, Duration.ofMillis(10), 75);

    private static final double WRITES = 0.25;
    private static final double CAPACITY = 0.1;
    /** A round with fewer hand-overs than this says nothing. */
    private static final int ENOUGH = 20;

    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration MEASURED = Duration.ofSeconds(7);
    private static final Duration SETTLED = Duration.ofSeconds(3);
    private static final Duration WAITED = Duration.ofSeconds(10);

    static final String TO_ANOTHER_PROCESS = "to another process p50, ms";

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
        List<Target> targets = new ArrayList<>();
        Optional<Best> fastest = Optional.empty();
        for (Duration section : List.of(Duration.ZERO, Duration.ofMillis(10))) {
            String variant = variant(section);
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
            tables.add(table(bench, section, rounds));
            Optional<Best> best =
                    Best.lowest(bench, peer -> rounds.median(peer, HotKeyAcrossProcesses::handOverMillis));
            bench.ours().ifPresent(ours -> {
                targets.add(handOver(best, ours, variant, rounds));
                targets.add(throughput(ours, section, rounds));
                targets.add(writes(ours, variant, rounds));
                if (section.isZero()) {
                    targets.add(besidePeers(bench, ours, variant, rounds));
                } else {
                    targets.add(capacityOfTurns(variant, best, ours, rounds));
                }
            });
            // The target for the cost of waiting applies to the last one, of 10 ms.
            fastest = best;
            for (Peer peer : bench.peers()) {
                throughput.bar(peer.title(), variant, rounds.median(peer, ContentionResult::sectionsPerSecond));
                handOver.bar(peer.title(), variant, rounds.median(peer, HotKeyAcrossProcesses::handOverMillis));
            }
        }
        Map<Peer, WaitingRun.Result> waits = waits(bench);
        tables.add(waiting(bench, waits));
        WaitingRun.@Nullable Result ours = bench.ours().map(waits::get).orElse(null);
        if (ours != null) {
            targets.add(capacity("units", fastest, waits, ours, r -> r.used().units()));
            targets.add(capacity(
                    "units at their price", fastest, waits, ours, r -> r.used().pricedUnits()));
        }
        HandOvers handOvers = HandOvers.of(bench);
        tables.add(handOvers.table());
        targets.addAll(handOvers.targets());
        return new ScenarioReport(
                number(),
                "One hot key in four processes",
                "The processes are instances in one JVM, each with its own client and knowing nothing of the others; four"
                        + " threads of each contend. Hand-overs are timed from the beginning of a release to the next"
                        + " grant; a dash: fewer than " + ENOUGH
                        + " in a round. The third table is of the same 16 threads while"
                        + " one of them holds the lock all the time and 15 wait, from the " + SETTLED.toSeconds()
                        + "rd second on for " + WAITED.toSeconds()
                        + " s. DynamoLock's next in line reads less often the longer a"
                        + " hold lasts. At their price, a read"
                        + " unit counts a fifth of a write unit, as on demand. In the last table, one process holds a"
                        + " lock, and one caller in another process waits for it from the beginning of the hold; it"
                        + " counts how much later than the beginning of the release the waiter has the lock. Locks with"
                        + " different keys are held side by side, each for up to a second (or a fifth) longer than the"
                        + " column says, so that releases fall between any two looks of the waiter. One round. Lost"
                        + " before: the waiter had the lock before it was released, because the lock is not renewed; then"
                        + " there is no mean.",
                tables,
                List.of(throughput, handOver, handOvers.chart()),
                targets);
    }

    private static double handOverMillis(ContentionResult result) {
        Samples handOvers = result.handOversAcross();
        return handOvers.size() < ENOUGH ? Double.NaN : handOvers.medianMillis();
    }

    private static Target handOver(Optional<Best> best, Peer ours, String variant, Rounds rounds) {
        return Best.atMost(
                variant + ": from release to the next grant in another process, p50",
                HAND_OVER_TIMES,
                Best.THE_BEST_PEERS,
                rounds.median(ours, HotKeyAcrossProcesses::handOverMillis),
                best,
                " ms",
                1);
    }

    private static Target throughput(Peer ours, Duration section, Rounds rounds) {
        int least = Objects.requireNonNull(SECTIONS_A_SECOND.get(section));
        double sections = rounds.median(ours, ContentionResult::sectionsPerSecond);
        return Target.atLeast(
                variant(section) + ": sections a second",
                least,
                sections,
                "at least " + least,
                Words.number(sections, 1));
    }

    private static String variant(Duration section) {
        return "sections of " + section.toMillis() + " ms";
    }

    private static Target writes(Peer ours, String variant, Rounds rounds) {
        double writes = rounds.median(ours, ContentionResult::writesPerSection);
        return Target.atMost(
                variant + ": writes per section",
                WRITES,
                writes,
                "at most " + Words.limit(WRITES),
                Words.number(writes, 3));
    }

    private static Target besidePeers(Bench bench, Peer ours, String variant, Rounds rounds) {
        return Best.atLeast(
                variant + ": sections a second",
                TIMES_THE_BEST,
                Best.THE_BEST_PEERS,
                rounds.median(ours, ContentionResult::sectionsPerSecond),
                Best.highest(bench, peer -> rounds.median(peer, ContentionResult::sectionsPerSecond)),
                "",
                1);
    }

    /** The cost of a second beyond the two writes of every section. */
    private static Target capacityOfTurns(String variant, Optional<Best> fastest, Peer ours, Rounds rounds) {
        double mine = rounds.median(ours, HotKeyAcrossProcesses::unitsOfWaiting);
        double theirs = fastest.map(best -> rounds.median(best.peer(), HotKeyAcrossProcesses::unitsOfWaiting))
                .orElse(Double.NaN);
        return tenth(
                variant + ": units a second beyond two writes a section",
                "at most a tenth of those of the peer with the best latency",
                1,
                mine,
                theirs,
                fastest.map(best -> best.peer().title()));
    }

    private static double unitsOfWaiting(ContentionResult result) {
        return (result.writeUnitsPerSection() + result.readUnitsPerSection() - 2) * result.sectionsPerSecond();
    }

    private static Target capacity(
            String unit,
            Optional<Best> fastest,
            Map<Peer, WaitingRun.Result> waits,
            WaitingRun.Result ours,
            ToDoubleFunction<WaitingRun.Result> units) {
        double mine = ours.early() > 0 ? Double.NaN : units.applyAsDouble(ours) / ours.seconds();
        WaitingRun.@Nullable Result other =
                fastest.map(best -> waits.get(best.peer())).orElse(null);
        double theirs = other == null || other.early() > 0 ? Double.NaN : units.applyAsDouble(other) / other.seconds();
        return tenth(
                "15 threads wait: " + unit + " a second",
                "at most a tenth of those of the peer with the best latency at sections of 10 ms",
                2,
                mine,
                theirs,
                fastest.map(best -> best.peer().title() + " (" + Words.number(best.figure(), 1) + " ms)"));
    }

    private static Target tenth(
            String what, String wanted, int decimals, double mine, double theirs, Optional<String> fastest) {
        return Target.atMost(
                what,
                CAPACITY,
                mine / theirs,
                wanted,
                Words.number(mine, decimals)
                        + fastest.map(peer -> "; " + peer + " " + Words.number(theirs, decimals) + ": ours are "
                                        + Words.number(mine / theirs, 3) + " times those")
                                .orElse(""));
    }

    static String tableTitle(Duration section) {
        return "4 processes with 4 threads, " + variant(section);
    }

    private static Table table(Bench bench, Duration section, Rounds rounds) {
        return rounds.table(
                bench,
                tableTitle(section),
                Column.median(Metric.timed("sections a second", 1), ContentionResult::sectionsPerSecond),
                Column.median(Metric.timed(TO_ANOTHER_PROCESS, 1), HotKeyAcrossProcesses::handOverMillis),
                Column.median(
                        Metric.timed("to another process p99, ms", 1),
                        r -> r.handOversAcross().percentileMillis(99)),
                Column.median(
                        Metric.timed("within a process p50, ms", 2),
                        r -> r.handOversWithin().medianMillis()),
                Column.sum("grants to another process", r -> r.handOversAcross().size()),
                Column.perSection("writes", 2, ContentionResult::writesPerSection),
                Column.perSection("reads", 2, ContentionResult::readsPerSection),
                Column.perSection("write units", 2, ContentionResult::writeUnitsPerSection),
                Column.perSection("read units", 2, ContentionResult::readUnitsPerSection),
                Column.sum("overlaps", ContentionResult::overlaps),
                Column.sum("failures", ContentionResult::failures));
    }

    private static Table waiting(Bench bench, Map<Peer, WaitingRun.Result> waits) {
        Table table = new Table(
                "Held all the time, 15 threads wait: a second of waiting",
                Metric.counted("writes", 2),
                Metric.counted("reads", 2),
                Metric.counted("write units", 2),
                Metric.counted("read units", 2),
                Metric.timed("units together", 2),
                Metric.timed("units at their price", 2),
                Metric.counted("ended early", 0));
        for (Peer peer : bench.peers()) {
            WaitingRun.@Nullable Result result = waits.get(peer);
            if (result == null) {
                table.failedRow(peer.title());
                continue;
            }
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

    private static Map<Peer, WaitingRun.Result> waits(Bench bench) throws InterruptedException {
        WaitingRun run = new WaitingRun(
                "across-waiting",
                PROCESSES,
                PROCESSES * THREADS - 1,
                false,
                bench.scaled(SETTLED),
                bench.scaled(WAITED));
        Map<Peer, WaitingRun.Result> waits = new LinkedHashMap<>();
        for (Peer peer : bench.peers()) {
            bench.attempt("3: waiting", peer, () -> run.with(peer, bench.database(), bench.table(peer)))
                    .ifPresent(result -> waits.put(peer, result));
        }
        return waits;
    }
}
