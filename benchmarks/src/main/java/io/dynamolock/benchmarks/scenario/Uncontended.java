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

/** A lock that nobody else wants. */
public final class Uncontended implements Scenario {

    private static final int MANY = 16;
    /** 100 sections a second: a fraction of what two cores can do, so that nobody waits for a processor. */
    private static final Duration PACE = Duration.ofMillis(10);

    /** Tolerance for heartbeats and for calls at the edges of the measured time, in calls per section. */
    private static final double ASIDE = 0.05;

    private static final double TIMES_SHEDLOCKS_PROCESSOR = 1.2;

    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration MEASURED = Duration.ofSeconds(6);
    /** Longer, because there are fewer sections: 1,000 a round, of which ten take longer than the 99th percentile. */
    private static final Duration MEASURED_AT_A_PACE = Duration.ofSeconds(10);

    static final String P50 = "p50, ms";

    /** Which keys the threads take, and when. */
    enum Variant {
        NEW_KEYS_AT_A_FIXED_RATE("New keys, 100 sections a second over 16 threads", MANY),
        NEW_KEYS_1_THREAD("New keys, 1 thread as fast as it can", 1),
        NEW_KEYS_16_THREADS("New keys, 16 threads as fast as they can", MANY),
        SAME_KEY_1_THREAD("The same key again, 1 thread as fast as it can", 1),
        SAME_KEY_16_THREADS("The same key again, 16 threads as fast as they can, each with its own key", MANY);

        final String title;
        private final int threads;

        Variant(String title, int threads) {
            this.title = title;
            this.threads = threads;
        }

        private boolean hasNewKeys() {
            return this != SAME_KEY_1_THREAD && this != SAME_KEY_16_THREADS;
        }

        private Contention contention(Bench bench, int round) {
            String prefix = "free-" + name() + "-" + round + "-";
            boolean isPaced = this == NEW_KEYS_AT_A_FIXED_RATE;
            Contention fast = Contention.onFreeLocks(
                    threads,
                    (thread, turn) -> prefix + thread + (hasNewKeys() ? "-" + turn : ""),
                    bench.scaled(WARM_UP),
                    bench.scaled(isPaced ? MEASURED_AT_A_PACE : MEASURED));
            return isPaced ? fast.withPace(PACE) : fast;
        }

        /** The most that the caller's time may be, as a multiple of the best peer's; empty for the same key. */
        private Optional<Double> mostTimes() {
            return switch (this) {
                case NEW_KEYS_AT_A_FIXED_RATE -> Optional.of(0.6);
                case NEW_KEYS_1_THREAD -> Optional.of(0.65);
                case NEW_KEYS_16_THREADS -> Optional.of(1.0);
                case SAME_KEY_1_THREAD, SAME_KEY_16_THREADS -> Optional.empty();
            };
        }

        /** The least number of sections a second, as a multiple of the best peer's; empty for new keys. */
        private Optional<Double> leastSections() {
            return switch (this) {
                case SAME_KEY_1_THREAD -> Optional.of(50.0);
                case SAME_KEY_16_THREADS -> Optional.of(20.0);
                case NEW_KEYS_AT_A_FIXED_RATE, NEW_KEYS_1_THREAD, NEW_KEYS_16_THREADS -> Optional.empty();
            };
        }
    }

    @Override
    public int number() {
        return 1;
    }

    @Override
    public boolean isFor(Peer peer) {
        return Peers.isLock(peer) || Peers.isAwaited(peer);
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        Chart times = new Chart("1-uncontended", "New keys: the caller's time, median", "ms", false);
        Chart sections = new Chart("1-same-key", "The same key again", "sections a second", true);
        List<Table> tables = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        for (Variant variant : Variant.values()) {
            Rounds rounds = Rounds.of(bench, "1: " + variant.title, round -> variant.contention(bench, round));
            tables.add(table(bench, variant, rounds));
            bench.ours().ifPresent(ours -> targets.addAll(targets(bench, ours, variant, rounds)));
            for (Peer peer : bench.peers()) {
                if (!variant.hasNewKeys()) {
                    sections.bar(
                            peer.title(),
                            variant.threads == 1 ? "1 thread" : variant.threads + " threads",
                            rounds.median(peer, ContentionResult::sectionsPerSecond));
                } else {
                    times.bar(
                            peer.title(),
                            variant == Variant.NEW_KEYS_AT_A_FIXED_RATE
                                    ? "100 a second"
                                    : variant.threads == 1
                                            ? "1 thread, as fast as it can"
                                            : variant.threads + " threads, as fast as they can",
                            rounds.median(peer, Uncontended::callersMillis));
                }
            }
        }
        return new ScenarioReport(
                number(),
                "A free lock",
                "One process takes and releases locks that nobody else wants, in empty sections. The times are the caller's:"
                        + " of the acquire and the release together, until the caller may go on. DynamoLock is used by"
                        + " withLock(...), which does not wait until the release is written; in the second row it does"
                        + " (await-release). At a fixed rate, sections start every " + PACE.toMillis()
                        + " ms, whether earlier ones have ended or not, and whichever thread is free takes the next. The"
                        + " time counts from the moment when the section was to start, so a section that has to wait for"
                        + " a thread is not left out, and one that does not end counts as a failure. This is what callers"
                        + " of a service feel. As fast as possible, on a few cores that the locks share with the"
                        + " database, the times are those of the processor more than those of the lock. Processor time"
                        + " is of this JVM, without the database. Heartbeats count where there are any.",
                tables,
                List.of(times, sections),
                targets);
    }

    private static double callersMillis(ContentionResult result) {
        return result.lockTimes().medianMillis();
    }

    private static List<Target> targets(Bench bench, Peer ours, Variant variant, Rounds rounds) {
        List<Target> targets = new ArrayList<>();
        variant.mostTimes()
                .ifPresent(times -> targets.add(Best.atMost(
                        variant.title + ": the caller's time, p50",
                        times,
                        Best.THE_BEST_PEERS,
                        rounds.median(ours, Uncontended::callersMillis),
                        Best.lowest(bench, peer -> rounds.median(peer, Uncontended::callersMillis)),
                        " ms",
                        2)));
        variant.leastSections()
                .ifPresent(times -> targets.add(Best.atLeast(
                        variant.title + ": sections a second",
                        times,
                        Best.THE_BEST_PEERS,
                        rounds.median(ours, ContentionResult::sectionsPerSecond),
                        Best.highest(bench, peer -> rounds.median(peer, ContentionResult::sectionsPerSecond)),
                        "",
                        0)));
        if (variant == Variant.NEW_KEYS_16_THREADS) {
            // ShedLock makes the same two calls and does nothing else.
            targets.add(Best.atMost(
                    variant.title + ": processor time per section",
                    TIMES_SHEDLOCKS_PROCESSOR,
                    "ShedLock's",
                    rounds.median(ours, ContentionResult::processorMillisPerSection),
                    Best.lowest(
                            bench.with(Peers::isShedLock),
                            peer -> rounds.median(peer, ContentionResult::processorMillisPerSection)),
                    " ms",
                    2));
        }
        double writes = rounds.median(ours, ContentionResult::writesPerSection);
        double reads = rounds.median(ours, ContentionResult::readsPerSection);
        targets.add(Target.below(
                variant.title + ": writes per section",
                2 + ASIDE,
                writes,
                variant.hasNewKeys() ? "2, heartbeats aside" : "at most 2, heartbeats aside",
                Words.number(writes, 3)));
        targets.add(Target.below(
                variant.title + ": reads per section",
                ASIDE,
                reads,
                "0, the watch over sessions aside",
                Words.number(reads, 3)));
        return targets;
    }

    private static Table table(Bench bench, Variant variant, Rounds rounds) {
        return rounds.table(
                bench,
                variant.title,
                Column.median(Metric.timed(P50, 2), Uncontended::callersMillis),
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
