package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.report.Table;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Time and allocations of single calls, without a database. */
public final class MicroBenchmarks implements Scenario {

    private static final String PACKAGE = "io\\.dynamolock\\.benchmarks\\.micro\\.";
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final int FORKS = 2;
    private static final int ITERATIONS = 8;
    private static final int WARM_UPS = 6;
    private static final double SECONDS = 1;

    @Override
    public int number() {
        return 8;
    }

    @Override
    public ScenarioReport run(Bench bench) {
        return new ScenarioReport(
                number(),
                "A single call",
                "JMH, with the store in memory, which answers at once: the time is the lock's own. Allocations are of all"
                        + " threads, the event loop's included. A section goes by withLock(...), whose caller goes on while"
                        + " the release is under way; if awaited, its caller waits until the release is written"
                        + " (await-release), as after an explicit release. New keys were never locked before. Errors are"
                        + " half the 99.9 % confidence interval.",
                List.of(
                        table(bench, "A guarded method of a bean", "AspectBenchmark"),
                        table(bench, "The aspect alone, with a registry that grants at once", "AspectAloneBenchmark"),
                        table(bench, "The engine's steps", "EngineBenchmark")),
                List.of(),
                List.of());
    }

    private static Table table(Bench bench, String title, String benchmark) {
        bench.progress("8: " + benchmark);
        Table table = new Table(
                title,
                Metric.counted("microseconds", 3),
                Metric.counted("error", 3),
                Metric.counted("bytes allocated", 0),
                Metric.counted("error", 0));
        for (RunResult result : run(bench, benchmark)) {
            Result<?> time = result.getPrimaryResult();
            Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
            table.row(
                    words(time.getLabel()),
                    time.getScore(),
                    time.getScoreError(),
                    allocated == null ? Double.NaN : allocated.getScore(),
                    allocated == null ? Double.NaN : allocated.getScoreError());
        }
        return table;
    }

    private static Collection<RunResult> run(Bench bench, String benchmark) {
        boolean trial = bench.factor() < 1;
        TimeValue length = new TimeValue((long) (SECONDS * 1000 * bench.factor()), TimeUnit.MILLISECONDS);
        try {
            return new Runner(new OptionsBuilder()
                            .include(PACKAGE + benchmark)
                            .forks(trial ? 1 : FORKS)
                            .warmupIterations(trial ? 1 : WARM_UPS)
                            .warmupTime(length)
                            .measurementIterations(trial ? 2 : ITERATIONS)
                            .measurementTime(length)
                            .addProfiler(GCProfiler.class)
                            .verbosity(VerboseMode.SILENT)
                            .shouldFailOnError(true)
                            .build())
                    .run();
        } catch (RunnerException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A method's name as words. */
    private static String words(String label) {
        return label.replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
