package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.load.Samples;
import io.dynamolock.benchmarks.peer.LockProcess;
import io.dynamolock.benchmarks.peer.LockProcess.HeldLock;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.process.ChildJvm;
import io.dynamolock.benchmarks.process.HolderMain;
import io.dynamolock.benchmarks.report.Chart;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** How long a lock is nobody's after its holder's process came to an end. */
public final class Failover implements Scenario {

    /** What happens to the holder's process. */
    private enum Fate {
        KILLED("KILL"),
        FROZEN("STOP"),
        STOPPED_CLEANLY("TERM");

        private final String signal;

        Fate(String signal) {
            this.signal = signal;
        }

        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    private static final int HOLDERS = 3;
    private static final Duration WAIT = Duration.ofSeconds(150);
    /** Long enough that the waiter stands in the queue and has seen the holder alive. */
    private static final Duration WAITED_BEFORE = Duration.ofSeconds(3);

    private static final Duration APART = Duration.ofMillis(300);

    @Override
    public int number() {
        return 6;
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        Map<Fate, Table> tables = new EnumMap<>(Fate.class);
        for (Fate fate : Fate.values()) {
            tables.put(
                    fate,
                    new Table(
                            "The holder's process is " + fate.text(),
                            Metric.timed("median, ms", 0),
                            Metric.counted("shortest, ms", 0),
                            Metric.counted("longest, ms", 0),
                            Metric.counted("never", 0)));
        }
        Chart chart = new Chart("6-failover", "From the holder's end to the next grant, median", "ms", true);
        int holders = bench.sized(HOLDERS);
        for (Peer peer : bench.peers()) {
            bench.progress("6: failover: " + peer.id());
            Map<Fate, List<Duration>> times = failovers(bench, peer, holders);
            tables.forEach((fate, table) -> {
                List<Duration> found = times.getOrDefault(fate, List.of());
                Samples samples = Samples.of(found);
                table.row(
                        peer.title(),
                        samples.medianMillis(),
                        samples.percentileMillis(Double.MIN_VALUE),
                        samples.maxMillis(),
                        holders - found.size());
                chart.bar(peer.title(), fate.text(), samples.medianMillis());
            });
        }
        return new ScenarioReport(
                number(),
                "Failover",
                "The holder is a process of its own; another process waits for its lock. Then the holder is killed (KILL),"
                        + " frozen (STOP) or asked to end (TERM), and the time is taken until the waiter has the lock. "
                        + holders + " holders for each, started one after the other, so that they are at different"
                        + " points between two heartbeats. A frozen holder would go on when it wakes up: whether a lock"
                        + " then tells it that it lost is not measured here. Never: not within "
                        + WAIT.toSeconds() + " s.",
                new ArrayList<>(tables.values()),
                List.of(chart));
    }

    private record Case(Fate fate, ChildJvm holder, CompletableFuture<Long> grantedAt) {}

    private static Map<Fate, List<Duration>> failovers(Bench bench, Peer peer, int holders)
            throws InterruptedException {
        List<Case> cases = new ArrayList<>();
        LockProcess waiter = peer.start(bench.database(), bench.table(peer), "waiter", new CallMeter());
        try {
            for (Fate fate : Fate.values()) {
                for (int i = 0; i < holders; i++) {
                    String key = "failover-" + fate.text().replace(' ', '-') + "-" + i;
                    ChildJvm holder = HolderMain.start(bench.database(), peer, bench.table(peer), key);
                    cases.add(new Case(fate, holder, grantTime(waiter.acquireInBackground(key, WAIT))));
                }
            }
            TimeUnit.NANOSECONDS.sleep(WAITED_BEFORE.toNanos());
            return endAll(cases);
        } finally {
            cases.forEach(one -> one.holder().close());
            waiter.close();
        }
    }

    private static CompletableFuture<Long> grantTime(CompletableFuture<@Nullable HeldLock> acquired) {
        return acquired.thenApply(held -> {
            long now = System.nanoTime();
            if (held == null) {
                throw new IllegalStateException("not granted in time");
            }
            return now;
        });
    }

    private static Map<Fate, List<Duration>> endAll(List<Case> cases) throws InterruptedException {
        List<Long> endedAt = new ArrayList<>();
        for (Case one : cases) {
            if (one.grantedAt().isDone()) {
                throw new IllegalStateException("Two hold a lock: " + one);
            }
            endedAt.add(System.nanoTime());
            one.holder().signal(one.fate().signal);
            TimeUnit.NANOSECONDS.sleep(APART.toNanos());
        }
        Map<Fate, List<Duration>> times = new EnumMap<>(Fate.class);
        for (int i = 0; i < cases.size(); i++) {
            try {
                long granted = cases.get(i).grantedAt().get(WAIT.toSeconds(), TimeUnit.SECONDS);
                times.computeIfAbsent(cases.get(i).fate(), fate -> new ArrayList<>())
                        .add(Duration.ofNanos(granted - endedAt.get(i)));
            } catch (ExecutionException | TimeoutException e) {
                System.err.println("No failover: " + e);
            }
        }
        return times;
    }
}
