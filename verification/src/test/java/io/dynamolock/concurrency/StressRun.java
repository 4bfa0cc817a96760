package io.dynamolock.concurrency;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.CompileMode;

/**
 * Runs one case in this JVM. The launcher of jcstress would start a JVM for each of dozens of combinations of compilers
 * and flags, which takes minutes.
 */
final class StressRun {

    /** Additional time for the setup, for the last round, and for a busy machine. */
    private static final Duration SPARE_TIME = Duration.ofSeconds(90);

    /** How often each outcome occurred. */
    record Result(long samples, Set<String> forbidden, String table) {}

    private StressRun() {}

    /** @throws IllegalStateException if the case hangs or fails; the message says where */
    static Result of(StressCase what, Duration time) throws Exception {
        StressFrame.races = what.races();
        FutureTask<Result> run = new FutureTask<>(() -> runHere(what, time));
        Thread thread = new Thread(run, "stress");
        thread.setDaemon(true);
        thread.start();
        try {
            return run.get(time.plus(SPARE_TIME).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException(what.name() + " hangs:\n" + threads(), e);
        }
    }

    private static Result runHere(StressCase what, Duration time) throws Exception {
        TestInfo info = TestList.getInfo(StressFrame.class.getName());
        SchedulingClass anyCore = new SchedulingClass(AffinityMode.NONE, info.threads(), NodeType.PACKAGE);
        TestConfig config = new TestConfig(options(time), info, 0, List.of(), CompileMode.UNIFIED, anyCore);
        TestResult result = run(config);
        if (result.status() != Status.NORMAL) {
            throw new IllegalStateException(
                    what.name() + " ended as " + result.status() + ": " + result.getMessages() + "\n" + threads());
        }
        Set<String> seen = new TreeSet<>(result.getStateKeys());
        String table = seen.stream()
                .map(outcome -> String.format("%,14d  %s", result.getCount(outcome), outcome))
                .collect(Collectors.joining("\n"));
        seen.removeAll(what.outcomes());
        return new Result(result.getTotalCount(), seen, table);
    }

    private static TestResult run(TestConfig config) throws ReflectiveOperationException {
        ForkedTestConfig forked = new ForkedTestConfig(config);
        Runner<?> runner = Class.forName(config.generatedRunnerName)
                .asSubclass(Runner.class)
                .getConstructor(ForkedTestConfig.class)
                .newInstance(forked);
        return runner.run();
    }

    /** Threads spin until the other one is there: if they yielded, they would seldom meet on a busy machine. */
    private static Options options(Duration time) throws IOException {
        String words = "-c 2 -iters 1 -hs 256 -strideSize 16 -strideCount 4 -spinStyle THREAD_SPIN_WAIT -time ";
        Options options = new Options((words + time.toMillis()).split(" "));
        if (!options.parse()) {
            throw new IllegalStateException("the tool does not understand its options");
        }
        return options;
    }

    private static String threads() {
        return Stream.of(ManagementFactory.getThreadMXBean().dumpAllThreads(true, true))
                .map(ThreadInfo::toString)
                .collect(Collectors.joining());
    }
}
