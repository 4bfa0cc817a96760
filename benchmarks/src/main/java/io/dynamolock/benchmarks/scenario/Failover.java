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
import java.util.LinkedHashMap;
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
                            Metric.counted("never", 0),
                            Metric.counted("lost before", 0)));
        }
        Chart chart = new Chart("6-failover", "From the holder's end to the next grant, median", "ms", true);
        int holders = bench.sized(HOLDERS);
        for (Peer peer : bench.peers()) {
            bench.progress("6: failover: " + peer.id());
            Outcome outcome = failovers(bench, peer, holders);
            tables.forEach((fate, table) -> {
                List<Duration> found = outcome.times().getOrDefault(fate, List.of());
                int lostBefore = outcome.lostBefore().getOrDefault(fate, 0);
                Samples samples = Samples.of(found);
                table.row(
                        peer.title(),
                        samples.medianMillis(),
                        samples.percentileMillis(Double.MIN_VALUE),
                        samples.maxMillis(),
                        holders - found.size() - lostBefore,
                        lostBefore);
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
                        + WAIT.toSeconds()
                        + " s. Lost before: somebody else had the lock before anything happened to its holder.",
                new ArrayList<>(tables.values()),
                List.of(chart));
    }

    /** What the waiter got, and when; it keeps the lock, so that nobody takes it for dropped. */
    private record Granted(long at, HeldLock lock) {}

    private record Case(Fate fate, ChildJvm holder, CompletableFuture<Granted> granted) {}

    /** @param lostBefore whose lock was somebody else's before anything happened to them */
    private record Outcome(Map<Fate, List<Duration>> times, Map<Fate, Integer> lostBefore) {}

    private static Outcome failovers(Bench bench, Peer peer, int holders) throws InterruptedException {
        List<Case> cases = new ArrayList<>();
        LockProcess waiter = peer.start(bench.database(), bench.table(peer), "waiter", new CallMeter());
        try {
            List<CompletableFuture<Case>> started = new ArrayList<>();
            for (Fate fate : Fate.values()) {
                for (int i = 0; i < holders; i++) {
                    String key = "failover-" + fate.text().replace(' ', '-') + "-" + i;
                    started.add(startHolder(bench, peer, key)
                            .thenApply(
                                    holder -> new Case(fate, holder, granted(waiter.acquireInBackground(key, WAIT)))));
                    TimeUnit.NANOSECONDS.sleep(APART.toNanos());
                }
            }
            started.forEach(one -> cases.add(one.join()));
            TimeUnit.NANOSECONDS.sleep(WAITED_BEFORE.toNanos());
            return endAll(cases);
        } finally {
            cases.forEach(one -> one.holder().close());
            waiter.close();
        }
    }

    private static CompletableFuture<ChildJvm> startHolder(Bench bench, Peer peer, String key) {
        // Not one after the other: a lock that is not renewed would run out before all of them stand.
        return CompletableFuture.supplyAsync(
                () -> HolderMain.start(bench.database(), peer, bench.table(peer), key),
                task -> new Thread(task, "start-holder").start());
    }

    private static CompletableFuture<Granted> granted(CompletableFuture<@Nullable HeldLock> acquired) {
        return acquired.thenApply(held -> {
            long now = System.nanoTime();
            if (held == null) {
                throw new IllegalStateException("not granted in time");
            }
            return new Granted(now, held);
        });
    }

    private static Outcome endAll(List<Case> cases) throws InterruptedException {
        Map<Fate, Integer> lostBefore = new EnumMap<>(Fate.class);
        Map<Case, Long> endedAt = new LinkedHashMap<>();
        for (Case one : cases) {
            if (one.granted().isDone()) {
                lostBefore.merge(one.fate(), 1, Integer::sum);
                continue;
            }
            endedAt.put(one, System.nanoTime());
            one.holder().signal(one.fate().signal);
            TimeUnit.NANOSECONDS.sleep(APART.toNanos());
        }
        Map<Fate, List<Duration>> times = new EnumMap<>(Fate.class);
        for (Map.Entry<Case, Long> ended : endedAt.entrySet()) {
            Case one = ended.getKey();
            try {
                long granted =
                        one.granted().get(WAIT.toSeconds(), TimeUnit.SECONDS).at();
                times.computeIfAbsent(one.fate(), fate -> new ArrayList<>())
                        .add(Duration.ofNanos(granted - ended.getValue()));
            } catch (ExecutionException | TimeoutException e) {
                System.err.println("No failover: " + e);
            }
        }
        return new Outcome(times, lostBefore);
    }
}
