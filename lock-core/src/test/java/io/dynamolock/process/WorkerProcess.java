package io.dynamolock.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Drives one {@link LockWorker} in a JVM of its own. Closing it kills it, in whatever state it is. */
final class WorkerProcess implements AutoCloseable {

    private final String name;
    private final Process process;
    private final Writer input;
    private final Thread lastResort;
    private final List<Message> messages = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private boolean ended;

    /**
     * What a worker said.
     *
     * @param nanos the worker's {@link System#nanoTime()}, which all processes of one machine share
     */
    record Message(long nanos, String what, String id, String details) {

        boolean isAbout(String kind, String about) {
            return what.equals(kind) && id.equals(about);
        }

        long number() {
            return Long.parseLong(details);
        }

        boolean isTrue() {
            return Boolean.parseBoolean(details);
        }

        private static Message parse(String line) {
            String[] words = line.split(" ", 5);
            return new Message(Long.parseLong(words[1]), words[2], words[3], words[4]);
        }
    }

    private WorkerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        this.lastResort = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(lastResort);
        Thread reader = new Thread(this::read, "output-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a worker; it may take a moment until it says {@code ready}. */
    static WorkerProcess start(String name, String endpoint, String lockTable) {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                LockWorker.class.getName(),
                endpoint,
                lockTable,
                name);
        // Surefire starts its own JVM with a class path in a manifest, and tells the real one here.
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        builder.environment().put("CLASSPATH", classPath);
        builder.redirectErrorStream(true);
        try {
            return new WorkerProcess(name, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void tell(String command, String... words) {
        try {
            input.write(command + " " + String.join(" ", words) + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " does not listen any more", e);
        }
    }

    /** Waits for the first message of this kind about this id. */
    Message await(String what, String id, Duration within) {
        return await(what + " " + id, message -> message.isAbout(what, id), within);
    }

    private synchronized Message await(String description, Predicate<Message> wanted, Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        for (int next = 0; ; ) {
            for (; next < messages.size(); next++) {
                Message message = messages.get(next);
                if (wanted.test(message)) {
                    return message;
                }
            }
            long left = deadline - System.nanoTime();
            if (ended || left <= 0) {
                throw new AssertionError(name + " did not say '" + description + "' within " + within
                        + (ended ? ", it has ended" : "") + "; it said " + messages + " and logged " + log);
            }
            waitForNews(left);
        }
    }

    /** Sends a signal, by its name without {@code SIG}; the nanoTime just before. */
    long signal(String signal) {
        long sentAt = System.nanoTime();
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .start();
            if (kill.waitFor() != 0) {
                throw new AssertionError("kill -" + signal + " failed for " + name + ": "
                        + new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
            return sentAt;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }

    private void waitForNews(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                heard(line);
            }
        } catch (IOException e) {
            heard(e.toString());
        }
        synchronized (this) {
            ended = true;
            notifyAll();
        }
    }

    private synchronized void heard(String line) {
        if (line.startsWith("@ ")) {
            messages.add(Message.parse(line));
            notifyAll();
        } else {
            log.add(line);
        }
    }
}
