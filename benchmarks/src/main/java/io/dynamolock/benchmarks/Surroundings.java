package io.dynamolock.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Where and when figures were measured, as a list in Markdown. */
final class Surroundings {

    private static final double BUSY = 0.5;

    private Surroundings() {}

    static String describe(BenchmarkOptions options, String database, List<String> command) {
        double load = load();
        int cores = Runtime.getRuntime().availableProcessors();
        StringBuilder text = new StringBuilder();
        if (load > BUSY * cores || options.factor() < 1 || options.size() < 1) {
            text.append(
                    "**These figures are no result:** the machine was busy with something else, or the run was shorter or"
                            + "\nsmaller than it should be. They only show that the measurement works.\n\n");
        }
        line(text, "measured", Instant.now().truncatedTo(ChronoUnit.MINUTES) + " (UTC)");
        line(
                text,
                "machine",
                cores + " cores of " + processor() + ", "
                        + System.getProperty("os.name")
                        + String.format(Locale.ROOT, ", load %.1f before the run", load));
        line(text, "Java", System.getProperty("java.vm.name") + " " + Runtime.version());
        line(text, "database", database);
        line(
                text,
                "round trip",
                "each call takes " + options.roundTrip().toMillis() + " ms longer than it does anyway");
        line(
                text,
                "rounds",
                options.rounds() + "; figures are medians of the rounds; in brackets, multiples of the first row's");
        line(text, "options", command.isEmpty() ? "none" : "`" + String.join(" ", command) + "`");
        return text.append('\n').toString();
    }

    private static void line(StringBuilder text, String what, String value) {
        text.append("- ").append(what).append(": ").append(value).append('\n');
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
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
