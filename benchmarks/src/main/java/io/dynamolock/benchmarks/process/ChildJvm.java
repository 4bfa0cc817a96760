package io.dynamolock.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM on the class path of this one. It says {@code ready} and a word on a line of its own, and ends when its
 * input does, so that none outlives this JVM.
 */
public final class ChildJvm implements AutoCloseable {

    private static final Duration TIME_TO_END = Duration.ofSeconds(10);
    private static final String READY = "ready ";

    private final Process process;
    private final String ready;

    private ChildJvm(Process process, String ready) {
        this.process = process;
        this.ready = ready;
    }

    /** Starts it and waits until it is ready. */
    public static ChildJvm start(Class<?> main, String heap, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heap);
        command.add(main.getName());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        // Surefire starts its own JVM with a class path in a manifest, and tells the real one here.
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        builder.environment().put("CLASSPATH", classPath);
        try {
            Process process = builder.start();
            // Neither closed nor wrapped twice: what it says later is read by nobody, and there is little of it.
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(READY)) {
                    return new ChildJvm(process, line.substring(READY.length()));
                }
            }
            process.destroyForcibly();
            throw new IllegalStateException(main.getSimpleName() + " did not start; see what it printed above");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In the child: says that it is ready, and waits for the end of its input. */
    public static void serve(String ready) throws IOException {
        System.out.println(READY + ready);
        System.out.flush();
        while (System.in.read() >= 0) {
            continue;
        }
    }

    /** The word that came with being ready. */
    public String readyWord() {
        return ready;
    }

    /** Sends a signal, by its name without {@code SIG}. */
    public void signal(String signal) {
        try {
            int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + signal + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(TIME_TO_END.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
