package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.report.Table;
import io.dynamolock.benchmarks.report.Target;
import io.dynamolock.internal.engine.Flood;
import io.dynamolock.internal.engine.ManySessions;
import io.dynamolock.internal.registry.FloodedKey;
import io.dynamolock.internal.testing.CountedCode;
import io.dynamolock.internal.testing.Measured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What a crowd of callers of one key costs, and what the other users of the process feel of it. Without a database. */
public final class FloodedKeys implements Scenario {

    /** A large crowd has up to 16 entries in the queue, a small one has one. */
    private static final double MARGIN = 2.5;

    private static final int[] CALLERS = {1_000, 10_000, 50_000, 200_000};
    private static final int[] SESSIONS = {1_000, 4_000};

    /** With fewer, no queue would be filled. */
    private static final int LEAST_SESSIONS = 100;

    @Override
    public int number() {
        return 11;
    }

    @Override
    public boolean isFor(Peer peer) {
        return Peers.isOurs(peer) && Peers.isLock(peer);
    }

    @Override
    public ScenarioReport run(Bench bench) throws InterruptedException {
        List<Table> tables = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        int[] callers = IntStream.of(CALLERS).map(bench::sized).toArray();
        tables.addAll(work(bench, "caller", Flood.values(), callers, targets));
        int[] sessions = IntStream.of(SESSIONS)
                .map(size -> Math.max(LEAST_SESSIONS, bench.sized(size)))
                .toArray();
        tables.addAll(work(bench, "session", ManySessions.values(), sessions, targets));
        tables.add(felt(bench, callers, targets));
        return new ScenarioReport(
                number(),
                "A flooded key",
                "A crowd of callers of one process wants one key, and all of them come, time out, are cancelled or are served"
                        + " within seconds. Steps are calls of the lock's own methods, rounds of its loops, and elements of"
                        + " lists that Java copies or searches for it: whatever looks at a caller, an entry or a session"
                        + " takes at least one. They are counted by a virtual clock, on one thread, and so is the"
                        + " processor's time, in another run without counting; the simulated network is in the time, and"
                        + " not in the steps. Each figure is for one caller, or one session. A long queue has 199 entries"
                        + " of other processes, a full one 200. Sessions that are read have callers here behind them, 40"
                        + " sessions to a key; those that die hold a lock each that a caller here waits for, and as many"
                        + " other locks are held here. The last table is by a real clock: while the crowd comes and goes,"
                        + " another caller of the process takes and releases another key all the time.",
                tables,
                List.of(),
                targets);
    }

    private static List<Table> work(Bench bench, String what, Enum<?>[] kinds, int[] sizes, List<Target> targets) {
        Table steps = new Table("Steps for each " + what + ", by the number of them", columns(sizes, 0));
        Table micros = new Table("Microseconds of processor time for each " + what, columns(sizes, 1));
        for (Enum<?> kind : kinds) {
            bench.progress("11: " + kind);
            Measured counted = new CountedCode().counted(kind);
            Measured timed = (Measured) kind;
            double[] stepsEach = new double[sizes.length];
            double[] microsEach = new double[sizes.length];
            // Classes get ready, and are compiled.
            counted.workFor(sizes[0]);
            timed.workFor(sizes[0]);
            for (int i = 0; i < sizes.length; i++) {
                stepsEach[i] = (double) counted.workFor(sizes[i]).steps() / sizes[i];
                microsEach[i] = timed.workFor(sizes[i]).time().toNanos() / 1e3 / sizes[i];
            }
            steps.row(words(kind), stepsEach);
            micros.row(words(kind), microsEach);
            int last = sizes.length - 1;
            double growth = stepsEach[last] / stepsEach[0];
            double most = MARGIN * Math.log(sizes[last]) / Math.log(sizes[0]);
            targets.add(Target.atMost(
                    words(kind) + ": steps with " + sizes[last] + ", against " + sizes[0],
                    most,
                    growth,
                    "at most 2.5 times the growth of the logarithm, " + Words.number(most, 2) + " times",
                    Words.number(growth, 2) + " times"));
        }
        return List.of(steps, micros);
    }

    private static Metric[] columns(int[] sizes, int decimals) {
        return IntStream.of(sizes)
                .mapToObj(size -> Metric.counted(String.format(Locale.ROOT, "%,d", size), decimals))
                .toArray(Metric[]::new);
    }

    private static Table felt(Bench bench, int[] callers, List<Target> targets) throws InterruptedException {
        Table table = new Table(
                "What others feel, by a real clock",
                Metric.counted("longest wait for another key, ms", 0),
                Metric.counted("sessions lost", 0),
                Metric.counted("until all had ended, s", 1));
        for (FloodedKey crowd : FloodedKey.values()) {
            for (int size : callers) {
                String what = String.format(Locale.ROOT, "%,d callers, the crowd %s", size, words(crowd));
                bench.progress("11: " + what);
                FloodedKey.Result result = crowd.with(size);
                double longest = result.longestWait().toNanos() / 1e6;
                table.row(what, longest, result.sessionsLost(), seconds(result.took()));
                targets.add(Target.atMost(
                        what + ": sessions lost",
                        0,
                        result.sessionsLost(),
                        "0",
                        result.sessionsLost() + "; another key waits for at most " + Words.number(longest, 0) + " ms"));
            }
        }
        return table;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static String words(Enum<?> kind) {
        return kind.toString().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
