package io.dynamolock.concurrency;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.TestGrading;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.CompileMode;

/**
 * Runs one stress test in this JVM. The tool's own launcher starts a JVM for each of dozens of combinations of compilers
 * and flags, which takes minutes; it is there for a long run, see {@code docs/testing.md}.
 */
final class StressRun {

    /** What happened how often. */
    record Result(long samples, List<String> failures, String table) {}

    private StressRun() {}

    static Result of(String name, int millis) throws Exception {
        TestInfo info = TestList.getInfo(name);
        TestConfig config = new TestConfig(
                options(millis), info, 0, List.of(), CompileMode.UNIFIED, new SchedulingClass(AffinityMode.NONE, info.threads(), NodeType.PACKAGE));
        TestResult result = run(config);
        result.setConfig(config);
        TestGrading grading = result.grading();
        String table = grading.gradingResults.entrySet().stream()
                .map(row -> String.format("%,12d  %-10s %s", row.getValue().count, row.getValue().expect, row.getKey()))
                .collect(Collectors.joining("\n"));
        if (result.status() != Status.NORMAL) {
            throw new IllegalStateException(name + " ended as " + result.status() + ": " + result.getMessages());
        }
        return new Result(result.getTotalCount(), List.copyOf(grading.failureMessages), table);
    }

    private static TestResult run(TestConfig config) throws ReflectiveOperationException {
        ForkedTestConfig forked = new ForkedTestConfig(config);
        Runner<?> runner = (Runner<?>) Class.forName(config.generatedRunnerName)
                .getConstructor(ForkedTestConfig.class)
                .newInstance(forked);
        return runner.run();
    }

    private static Options options(int millis) throws IOException {
        Options options = new Options(
                new String[] {"-c", "2", "-iters", "1", "-time", String.valueOf(millis), "-hs", "256"});
        if (!options.parse()) {
            throw new IllegalStateException("the tool does not understand its options");
        }
        return options;
    }
}
