package io.dynamolock.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tlc2.TLC;

/** Runs TLC on a copy of the specifications, in a JVM of its own: TLC keeps its state in static fields. */
final class Tlc {

    private static final Path SPECIFICATIONS = Path.of("spec");

    private final Path directory;
    private final List<String> machine;

    private Tlc(Path directory, List<String> machine) {
        this.directory = directory;
        this.machine = machine;
    }

    /** @param directory an empty directory, for the copy of the specifications and TLC's own files */
    static Tlc in(Path directory) {
        return new Tlc(directory, List.of("-Xmx1500m", "-XX:TieredStopAtLevel=1"));
    }

    /** For long runs: uses the optimizing compiler, which takes time to warm up. */
    Tlc thorough() {
        return new Tlc(directory, List.of("-Xmx3g"));
    }

    /** The text of one of the specification's files. */
    static String specification(String name) {
        try {
            return Files.readString(SPECIFICATIONS.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The names of all configurations. */
    static List<String> configurations() throws IOException {
        try (Stream<Path> files = Files.list(SPECIFICATIONS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".cfg"))
                    .map(name -> name.substring(0, name.length() - ".cfg".length()))
                    .sorted()
                    .toList();
        }
    }

    /** The module that a configuration is of. */
    static String moduleOf(String configuration) {
        return Stream.of("Sessions", "Gate")
                .filter(configuration::startsWith)
                .findFirst()
                .orElse("Model");
    }

    /** The events that {@code Model.tla} watches for. */
    static Set<String> mechanisms() {
        String model = specification("Model.tla");
        Matcher list = Pattern.compile("(?s)Mechanisms == <<(.*?)>>").matcher(model);
        if (!list.find()) {
            throw new AssertionError("Model.tla has no list of mechanisms");
        }
        return Pattern.compile("\"(.*?)\"")
                .matcher(list.group(1))
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toSet());
    }

    /** Checks the module as it stands. */
    TlcResult check(String module, String configuration, Duration limit) {
        return check(module, configuration, (file, text) -> text, limit);
    }

    /** @param change given a file's name and text, returns the text to check */
    TlcResult check(String module, String configuration, BinaryOperator<String> change, Duration limit) {
        try {
            copySpecifications(change);
            return run(module, configuration, limit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while TLC ran", e);
        }
    }

    private void copySpecifications(BinaryOperator<String> change) throws IOException {
        try (Stream<Path> files = Files.list(SPECIFICATIONS)) {
            for (Path file : files.filter(Tlc::isRead).toList()) {
                String name = file.getFileName().toString();
                Files.writeString(directory.resolve(name), change.apply(name, Files.readString(file)));
            }
        }
    }

    private static boolean isRead(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".tla") || name.endsWith(".cfg");
    }

    private TlcResult run(String module, String configuration, Duration limit)
            throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command(module, configuration))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            String said = Files.readString(output, StandardCharsets.UTF_8);
            if (!ended) {
                throw new AssertionError("TLC did not end within " + limit + ":\n" + said);
            }
            return new TlcResult(process.exitValue(), said);
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> command(String module, String configuration) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(machine);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + directory.toAbsolutePath(),
                "-cp",
                jar(),
                "tlc2.TLC",
                "-workers",
                "1",
                "-metadir",
                directory.resolve("states").toAbsolutePath().toString(),
                "-config",
                configuration + ".cfg",
                module + ".tla"));
        return command;
    }

    private static String jar() {
        return TLC.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    }
}
