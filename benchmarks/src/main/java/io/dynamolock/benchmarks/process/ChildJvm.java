package io.dynamolock.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Another JVM on the class path of this one. It says {@code ready} and a word on a line of its own, and ends when its
 * input does, so that none outlives this JVM.
 */
public final class ChildJvm implements AutoCloseable {

    private static final Duration TIME_TO_END = Duration.ofSeconds(10);
    private static final String READY = "ready ";

    private final Process process;
    private final BufferedReader output;
    private final String ready;

    private ChildJvm(Process process, BufferedReader output, String ready) {
        this.process = process;
        this.output = output;
        this.ready = ready;
    }

    /** Starts the JVM and waits until it is ready. */
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
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(READY)) {
                    return new ChildJvm(process, output, line.substring(READY.length()));
                }
            }
            process.destroyForcibly();
            throw new IllegalStateException(main.getSimpleName() + " did not start; see what it printed above");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers the lines that the parent sends. */
    @FunctionalInterface
    public interface Answers {

        String to(String question) throws InterruptedException;
    }

    /** Called in the child: says that it is ready, and answers on this thread until its input ends. */
    public static void serve(String ready, Answers answers) throws IOException, InterruptedException {
        System.out.println(READY + ready);
        System.out.flush();
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String question = questions.readLine(); question != null; question = questions.readLine()) {
            System.out.println(answers.to(question));
            System.out.flush();
        }
    }

    /**
     * Sends the child one line, and waits for the line of its answer.
     *
     * @return empty if no answer came in time
     */
    public Optional<String> ask(String question, Duration wait) {
        CompletableFuture<@Nullable String> answer = new CompletableFuture<>();
        Thread asking = new Thread(
                () -> {
                    try {
                        process.outputWriter(StandardCharsets.UTF_8)
                                .append(question + "\n")
                                .flush();
                        answer.complete(output.readLine());
                    } catch (IOException e) {
                        answer.completeExceptionally(e);
                    }
                },
                "ask");
        asking.setDaemon(true);
        asking.start();
        try {
            return Optional.ofNullable(
                    answer.orTimeout(wait.toNanos(), TimeUnit.NANOSECONDS).join());
        } catch (CompletionException e) {
            return Optional.empty();
        }
    }

    /** The word that came with being ready. */
    public String readyWord() {
        return ready;
    }

    /** Sends {@code SIGTERM} or {@code SIGKILL}, without the time that starting another process takes. */
    public void end(boolean forcibly) {
        // By the process handle, because Process.destroy() would also close the child's input, which ends the child in
        // another way.
        boolean sent = forcibly
                ? process.toHandle().destroyForcibly()
                : process.toHandle().destroy();
        if (!sent) {
            throw new IllegalStateException("The signal could not be sent");
        }
    }

    /** Sends a signal. */
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
