package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.load.Samples;
import io.dynamolock.benchmarks.peer.LockProcess;
import io.dynamolock.benchmarks.peer.LockProcess.HeldLock;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import io.dynamolock.benchmarks.process.ChildJvm;
import io.dynamolock.benchmarks.process.HolderMain;
import io.dynamolock.benchmarks.process.HolderMain.Knowledge;
import io.dynamolock.benchmarks.report.Chart;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.report.Table;
import io.dynamolock.benchmarks.report.Target;
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

/**
 * How long nobody has a lock after the process of its holder has ended, and whether a frozen holder learns of its loss.
 */
public final class Failover implements Scenario {

    /** What happens to the holder's process. */
    private enum Fate {
        KILLED,
        FROZEN,
        STOPPED_CLEANLY;

        void meets(ChildJvm holder) {
            switch (this) {
                case KILLED -> holder.end(true);
                case FROZEN -> holder.signal("STOP");
                case STOPPED_CLEANLY -> holder.end(false);
            }
        }

        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    private static final int HOLDERS = 3;
    private static final double CLEAN_STOP_MILLIS = 150;
    private static final Duration WAIT = Duration.ofSeconds(90);
    /** Long enough that the waiter stands in the queue and has seen the holder alive. */
    private static final Duration WAITED_BEFORE = Duration.ofSeconds(3);

    private static final Duration APART = Duration.ofMillis(300);
    private static final Duration ANSWER = Duration.ofSeconds(30);

    @Override
    public int number() {
        return 6;
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        int holders = bench.sized(HOLDERS);
        String held = Words.number(hold(holders).toMillis() / 1_000.0, 0) + " s";
        Map<Fate, Table> tables = new EnumMap<>(Fate.class);
        for (Fate fate : Fate.values()) {
            tables.put(
                    fate,
                    new Table(
                            "The holder's process is " + fate.text() + ", after a hold of about " + held,
                            fate == Fate.FROZEN ? List.of("learns of its loss when it wakes up") : List.of(),
                            Metric.timed("median, ms", 0),
                            Metric.counted("shortest, ms", 0),
                            Metric.counted("longest, ms", 0),
                            Metric.counted("never", 0),
                            Metric.counted("lost before", 0)));
        }
        Chart chart = new Chart("6-failover", "From the holder's end to the next grant, median", "ms", true);
        List<Target> targets = new ArrayList<>();
        for (Peer peer : bench.peers()) {
            @Nullable
            Outcome outcome = bench.attempt("6: failover", peer, () -> failovers(bench, peer, holders))
                    .orElse(null);
            if (outcome == null) {
                tables.values().forEach(table -> table.failedRow(peer.title()));
                continue;
            }
            tables.forEach((fate, table) -> {
                Samples samples = outcome.samples(fate);
                int lostBefore = outcome.lostBefore().getOrDefault(fate, 0);
                table.row(
                        peer.title(),
                        fate == Fate.FROZEN ? List.of(inWords(outcome.frozen())) : List.of(),
                        samples.medianMillis(),
                        samples.percentileMillis(Double.MIN_VALUE),
                        samples.maxMillis(),
                        holders - samples.size() - lostBefore,
                        lostBefore);
                chart.bar(peer.title(), fate.text(), samples.medianMillis());
            });
            if (Peers.isOurs(peer)) {
                targets.addAll(targets(outcome.samples(Fate.STOPPED_CLEANLY), holders, held));
            }
        }
        return new ScenarioReport(
                number(),
                "Failover",
                "The holder is a process of its own; another process waits for its lock. Then the holder is killed (KILL),"
                        + " frozen (STOP) or asked to end (TERM), and the time is taken until the waiter has the lock. "
                        + holders
                        + " holders for each, one after the other, so that they are at different points between"
                        + " two heartbeats; each has held the lock for about " + held + " before. DynamoLock's next in"
                        + " line reads less often the longer a hold lasts, so it notices a clean stop after a longer"
                        + " hold later: scenario 3 has the figures for releases after 10 and 60 s."
                        + " A frozen holder is woken up (CONT) when the waiter has the lock. It then asks its lock at"
                        + " once whether it is still held, if the lock has something that can be asked, and releases it."
                        + " Never: not within " + WAIT.toSeconds()
                        + " s. Lost before: somebody else had the lock before"
                        + " anything happened to its holder.",
                new ArrayList<>(tables.values()),
                List.of(chart),
                targets);
    }

    /** From the grant of a holder to its end: the time to begin all waits, and not less than the waiting time. */
    private static Duration hold(int holders) {
        Duration all = APART.multipliedBy((long) holders * Fate.values().length);
        return all.compareTo(WAITED_BEFORE) > 0 ? all : WAITED_BEFORE;
    }

    private static List<Target> targets(Samples cleanStops, int holders, String held) {
        String limit = "< " + Words.number(CLEAN_STOP_MILLIS, 0) + " ms";
        String what = "clean stop after a hold of about " + held + " to the next grant, ";
        // A holder that nobody followed has no time, and must not improve the maximum.
        double worst = cleanStops.size() < holders ? Double.POSITIVE_INFINITY : cleanStops.maxMillis();
        String worstInWords =
                Double.isInfinite(worst) ? "not all had a next grant" : Words.number(cleanStops.maxMillis(), 0) + " ms";
        return List.of(
                Target.below(
                        what + "p50 of " + cleanStops.size(),
                        CLEAN_STOP_MILLIS,
                        cleanStops.medianMillis(),
                        limit,
                        Words.number(cleanStops.medianMillis(), 0) + " ms"),
                Target.below(what + "worst of " + holders, CLEAN_STOP_MILLIS, worst, limit, worstInWords));
    }

    private static String inWords(List<Knowledge> frozen) {
        if (frozen.isEmpty()) {
            return "-";
        }
        int all = frozen.size();
        long whenAsked = frozen.stream()
                .filter(one -> one.asked() == HolderMain.Says.LOST)
                .count();
        long atRelease = frozen.stream()
                .filter(one -> one.released() == HolderMain.Says.LOST)
                .count();
        boolean canBeAsked = frozen.stream().anyMatch(one -> one.asked() != HolderMain.Says.NOTHING);
        String yes = whenAsked == all
                ? "yes"
                : atRelease == all ? "only at its release" : whenAsked + atRelease == 0 ? "no" : "not always";
        return yes + ": "
                + (canBeAsked ? "the lock says so when asked: " + whenAsked + " of " + all : "the lock cannot be asked")
                + "; its release says so: " + atRelease + " of " + all;
    }

    /** The lock that the waiter got, and when. Keeps the lock, so that it is not garbage collected and released. */
    private record Granted(long at, HeldLock lock) {}

    private record Case(Fate fate, ChildJvm holder, String key) {}

    private record Waiting(Case of, CompletableFuture<Granted> granted) {}

    /**
     * @param lostBefore how many holders lost their lock before anything happened to them
     * @param frozen what the frozen holders know when they wake up
     */
    private record Outcome(Map<Fate, List<Duration>> times, Map<Fate, Integer> lostBefore, List<Knowledge> frozen) {

        Samples samples(Fate fate) {
            return Samples.of(times.getOrDefault(fate, List.of()));
        }
    }

    private static Outcome failovers(Bench bench, Peer peer, int holders) throws InterruptedException {
        List<CompletableFuture<Case>> started = new ArrayList<>();
        List<Waiting> waits = new ArrayList<>();
        LockProcess waiter = peer.start(bench.database(), bench.table(peer), "waiter", new CallMeter());
        try {
            for (int i = 0; i < holders; i++) {
                for (Fate fate : Fate.values()) {
                    String key = "failover-" + fate.text().replace(' ', '-') + "-" + i;
                    started.add(startHolder(bench, peer, key).thenApply(holder -> new Case(fate, holder, key)));
                }
            }
            List<Case> cases = started.stream().map(CompletableFuture::join).toList();
            for (Case one : cases) {
                String answer = one.holder().ask(HolderMain.ACQUIRE, ANSWER).orElse("nothing");
                if (!answer.equals(HolderMain.HELD)) {
                    throw new IllegalStateException("A holder of " + peer.id() + " answered: " + answer);
                }
                waits.add(new Waiting(one, granted(waiter.acquireInBackground(one.key(), WAIT.plus(WAITED_BEFORE)))));
                TimeUnit.NANOSECONDS.sleep(APART.toNanos());
            }
            // The holders end in the same intervals in which they began.
            TimeUnit.NANOSECONDS.sleep(Math.max(
                    0, WAITED_BEFORE.minus(APART.multipliedBy(waits.size())).toNanos()));
            return endAll(waits);
        } finally {
            started.forEach(one -> one.thenAccept(begun -> begun.holder().close()));
            waits.forEach(one -> one.granted().thenAccept(Failover::release));
            waiter.closeOrLeave();
        }
    }

    /** Keeps the handle, so that it is not garbage collected and released. */
    private static void release(Granted granted) {
        try {
            granted.lock().release();
        } catch (RuntimeException notByThisThread) {
            // Closing the process releases these locks.
            return;
        }
    }

    private static CompletableFuture<ChildJvm> startHolder(Bench bench, Peer peer, String key) {
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

    private static Outcome endAll(List<Waiting> waits) throws InterruptedException {
        Outcome outcome = new Outcome(new EnumMap<>(Fate.class), new EnumMap<>(Fate.class), new ArrayList<>());
        record Ended(Waiting waiting, long at) {}
        List<Ended> ended = new ArrayList<>();
        for (Waiting waiting : waits) {
            Fate fate = waiting.of().fate();
            if (waiting.granted().isDone()) {
                outcome.lostBefore().merge(fate, 1, Integer::sum);
                continue;
            }
            ended.add(new Ended(waiting, System.nanoTime()));
            fate.meets(waiting.of().holder());
            TimeUnit.NANOSECONDS.sleep(APART.toNanos());
        }
        for (Ended one : ended) {
            Case of = one.waiting().of();
            try {
                long granted = one.waiting()
                        .granted()
                        .get(WAIT.toSeconds(), TimeUnit.SECONDS)
                        .at();
                outcome.times()
                        .computeIfAbsent(of.fate(), fate -> new ArrayList<>())
                        .add(Duration.ofNanos(granted - one.at()));
            } catch (ExecutionException | TimeoutException e) {
                System.err.println("No failover: " + e);
                continue;
            }
            if (of.fate() == Fate.FROZEN) {
                of.holder().signal("CONT");
                of.holder()
                        .ask(HolderMain.LEARNED, ANSWER)
                        .map(Knowledge::ofLine)
                        .ifPresent(outcome.frozen()::add);
            }
        }
        return outcome;
    }
}
