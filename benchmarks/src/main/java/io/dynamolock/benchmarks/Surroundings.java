package io.dynamolock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.report.ReportFolder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The circumstances of a measurement: where and when.
 *
 * @param database the database that was used
 */
record Surroundings(BenchmarkOptions options, String database, List<String> command) {

    /** Largest share of the cores that may work for others, here or on the host, before the figures are no results. */
    private static final double BUSY = 0.15;

    private static final Duration LOOK = Duration.ofSeconds(3);
    private static final int LOOKS = 5;

    /**
     * Waits a little until earlier work has calmed down, then measures how busy the machine is without the benchmark,
     * from 0 to 1.
     */
    double busyShare() throws InterruptedException {
        double busy = 1;
        for (int i = 0; i < (trial() ? 1 : LOOKS) && busy > BUSY; i++) {
            cpuLoad();
            TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
            busy = cpuLoad();
        }
        return busy;
    }

    private boolean trial() {
        return options.factor() < 1 || options.size() < 1;
    }

    /**
     * As a list in Markdown.
     *
     * @param busy how busy the machine was without the benchmark
     * @param stolen the share of processor time that the host gave to other machines meanwhile
     * @param took how long the scenario took
     * @param peers the locks that it measured
     */
    String describe(double busy, double stolen, Duration took, List<Peer> peers) {
        int cores = Runtime.getRuntime().availableProcessors();
        StringBuilder text = new StringBuilder();
        if (busy > BUSY || stolen > BUSY || trial()) {
            text.append(ReportFolder.NO_RESULT
                    + " the machine or its host was busy with something else, or the run was shorter or"
                    + "\nsmaller than it should be. They only show that the measurement works.\n\n");
        }
        line(text, "measured", Instant.now().truncatedTo(ChronoUnit.MINUTES) + " (UTC)");
        options.commit().ifPresent(commit -> line(text, "commit", commit));
        line(
                text,
                "machine",
                cores + " cores of " + processor() + ", "
                        + System.getProperty("os.name")
                        + String.format(
                                Locale.ROOT,
                                ", %.0f %% busy before the scenario began; %.0f %% of its time taken by others on its host",
                                100 * busy,
                                100 * stolen));
        line(text, "took", took.toSeconds() + " s");
        line(text, "Java", System.getProperty("java.vm.name") + " " + Runtime.version());
        line(text, "database", database);
        line(
                text,
                "round trip",
                "each call takes " + options.roundTrip().toMillis() + " ms longer than it does anyway");
        line(
                text,
                "rounds",
                options.rounds()
                        + " in scenarios 1, 2, 9 and 10 and in the first tables of 3, whose figures are the medians of the rounds (of two, their mean); else one");
        line(text, "in brackets", "multiples of the first row's figure");
        peers.forEach(peer -> line(text, peer.title(), peer.setUp()));
        line(text, "options", command.isEmpty() ? "none" : "`" + String.join(" ", command) + "`");
        return text.append('\n').toString();
    }

    private static void line(StringBuilder text, String what, String value) {
        text.append("- ").append(what).append(": ").append(value).append('\n');
    }

    /** The load of all cores since the last call. */
    private static double cpuLoad() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElseGet(() -> System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }
}
