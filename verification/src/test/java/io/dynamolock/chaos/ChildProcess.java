package io.dynamolock.chaos;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A child JVM. It is killed when this JVM ends, even if it is frozen. Thread-safe. */
final class ChildProcess {

    private final String name;
    private final Process process;
    private final Thread lastResort;

    private ChildProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.lastResort = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    /** Starts the main class with this JVM's class path. */
    static ChildProcess start(String name, List<String> jvmOptions, Class<?> main, Path log, Object... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.add(main.getName());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        // Surefire starts its own JVM with a class path in a manifest, and tells the real one here.
        builder.environment()
                .put(
                        "CLASSPATH",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.directory(new File(System.getProperty("user.dir")));
        try {
            return new ChildProcess(name, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int exitCode() {
        return process.exitValue();
    }

    void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " does not listen any more", e);
        }
    }

    /** Does nothing if the process has ended. */
    void tellIfAlive(String line) {
        if (process.isAlive()) {
            tell(line);
        }
    }

    /** Sends a signal, named without {@code SIG}. Does nothing if the process has ended. */
    void signal(String signal) {
        if (process.isAlive()) {
            try {
                new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .onExit()
                        .join();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Whether the process has ended within this time. */
    boolean awaitEnd(Duration within) throws InterruptedException {
        boolean ended = process.waitFor(within.toNanos(), TimeUnit.NANOSECONDS);
        if (ended) {
            forget();
        }
        return ended;
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        forget();
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(lastResort);
        } catch (IllegalStateException e) {
            // This JVM is ending: the hook runs, and finds nothing to do.
        }
    }
}
