package io.dynamolock.simulation.soak;

import io.dynamolock.engine.LockEngine;
import io.dynamolock.simulation.ReloadedClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.ILine;
import org.jacoco.core.analysis.ISourceFileCoverage;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IRuntime;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;

/** Which branches of the engine were taken, as JaCoCo counts them. */
final class BranchCoverage {

    private static final String ENGINE = "io.dynamolock.engine.";

    private final Map<String, byte[]> originals = new ConcurrentSkipListMap<>();
    private final RuntimeData data = new RuntimeData();
    private final Instrumenter instrumenter;

    BranchCoverage() {
        IRuntime runtime = new LoggerRuntime();
        instrumenter = new Instrumenter(runtime);
        try {
            runtime.startup(data);
        } catch (Exception e) {
            throw new IllegalStateException("JaCoCo does not start", e);
        }
    }

    /** This project's classes, those of the engine with counters in them. */
    ClassLoader classes() {
        return new ReloadedClasses((name, original) -> name.startsWith(ENGINE) ? counted(name, original) : original);
    }

    private byte[] counted(String name, byte[] original) {
        originals.put(name, original);
        try {
            return instrumenter.instrument(original, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CoverageBuilder analyzed() {
        ExecutionDataStore taken = new ExecutionDataStore();
        data.collect(taken, new SessionInfoStore(), false);
        CoverageBuilder coverage = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(taken, coverage);
        originals.forEach((name, bytes) -> {
            try {
                analyzer.analyzeClass(bytes, name);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return coverage;
    }

    /** One line for the whole engine. */
    String summary() {
        int branches = 0;
        int taken = 0;
        for (ISourceFileCoverage file : analyzed().getSourceFiles()) {
            branches += file.getBranchCounter().getTotalCount();
            taken += file.getBranchCounter().getCoveredCount();
        }
        return taken + " of the engine's " + branches + " branches taken";
    }

    /** For each source file of the engine how many branches were taken, and the lines where some were not. */
    String report() {
        StringBuilder text = new StringBuilder();
        Map<String, ISourceFileCoverage> files = new TreeMap<>();
        analyzed().getSourceFiles().forEach(file -> files.put(file.getName(), file));
        files.values().forEach(file -> {
            ICounter branches = file.getBranchCounter();
            if (branches.getTotalCount() > 0) {
                text.append("%,8d of %,d branches of %s%n"
                        .formatted(branches.getCoveredCount(), branches.getTotalCount(), file.getName()));
            }
        });
        text.append("Never taken:\n");
        files.values().forEach(file -> neverTaken(file, text));
        return text.toString();
    }

    private static void neverTaken(ISourceFileCoverage file, StringBuilder text) {
        List<String> source = sourceOf(file);
        for (int number = file.getFirstLine(); number <= file.getLastLine() && number > 0; number++) {
            ILine line = file.getLine(number);
            int missed = line.getBranchCounter().getMissedCount();
            boolean neverRun = line.getStatus() == ICounter.NOT_COVERED;
            if (missed > 0 || neverRun) {
                String what = missed > 0
                        ? missed + " of " + line.getBranchCounter().getTotalCount() + " branches"
                        : "the line";
                String code = number <= source.size() ? source.get(number - 1).strip() : "";
                text.append("  %s:%d, %s: %s%n".formatted(file.getName(), number, what, code));
            }
        }
    }

    private static List<String> sourceOf(ISourceFileCoverage file) {
        try {
            Path classes = Path.of(LockEngine.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path source = classes.getParent()
                    .getParent()
                    .resolve("src/main/java/" + file.getPackageName())
                    .resolve(file.getName());
            return Files.exists(source) ? Files.readAllLines(source) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
