package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process without Spring ends, and others get its locks at once: real processes on a table of DynamoDB Local. */
// One after the other, because four virtual machines that start together would slow down the tests beside them.
@Execution(ExecutionMode.SAME_THREAD)
class EndOfProcessTest {

    /** So long that nobody gets the lock in this test because a lease has ended. */
    private static final Duration LEASE = Duration.ofHours(1);

    private static final String HELD = "held";

    /** The bit of SIGINT in a mask of signals. */
    private static final long SIGINT = 2;

    /** How a process ends. */
    enum End {
        END_OF_MAIN,
        SYSTEM_EXIT,
        SIGTERM,
        CTRL_C
    }

    private final LockTableFixture table = new LockTableFixture();

    @ParameterizedTest
    @EnumSource
    void aProcessThatEndsFreesItsLockAtOnce(End end) throws Exception {
        assumeFalse(end == End.CTRL_C && isInterruptIgnored(), "the new process would ignore Ctrl-C");
        Process process = start(end);
        try (LockRegistry other = table.registry().lease(LEASE).build();
                BufferedReader output =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String before = linesBefore(HELD, output);
            CompletableFuture<LockHandle> waiting =
                    other.acquireAsync(LockRequest.of("k").waitTime(LEASE));
            end(process, end);

            assertThat(waiting).succeedsWithin(LockTableFixture.LONG);
            assertThat(process.waitFor(LockTableFixture.LONG.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            String after = output.lines().collect(Collectors.joining("\n"));
            assertThat(before + after).as("what the process wrote").doesNotContain("Exception");
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * Whether this process ignores SIGINT, as whatever a shell has started in the background does. The processes that
     * it starts do so, too.
     */
    private static boolean isInterruptIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) & SIGINT) != 0);
    }

    private Process start(End end) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                EndOfProcessTest.class.getName(),
                EmbeddedDynamoDb.endpoint().toString(),
                table.registry().table().name(),
                end.name());
        builder.environment()
                .put(
                        "CLASSPATH",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        return builder.redirectErrorStream(true).start();
    }

    private static String linesBefore(String last, BufferedReader output) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String line = output.readLine(); !last.equals(line); line = output.readLine()) {
            assertThat(line).as("the process has ended too early: %s", lines).isNotNull();
            lines.append(line).append('\n');
        }
        return lines.toString();
    }

    /** Ends the process, or lets it go on to its end. */
    private static void end(Process process, End end) throws Exception {
        switch (end) {
            case END_OF_MAIN, SYSTEM_EXIT -> process.getOutputStream().close();
            case SIGTERM -> signal(process, "-TERM");
            case CTRL_C -> signal(process, "-INT");
        }
    }

    /** {@link Process#destroy} would close the output of the process, too. */
    private static void signal(Process process, String signal) throws Exception {
        new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    }

    /** The process: takes the lock, and ends when its input ends, or is ended before. */
    public static void main(String[] arguments) throws IOException {
        LockRegistry locks = LockRegistry.builder(EmbeddedDynamoDb.blockingClientAt(URI.create(arguments[0]))
                        .build())
                .tableName(arguments[1])
                .lease(LEASE)
                .closeAtShutdown()
                .build();
        LockHandle handle = locks.acquire("k", LockTableFixture.LONG);
        System.out.println(HELD);
        while (System.in.read() >= 0) {
            // Whatever comes before the end.
        }
        if (!handle.isValid()) {
            throw new IllegalStateException("the lock was lost");
        }
        if (End.valueOf(arguments[2]) == End.SYSTEM_EXIT) {
            System.exit(0);
        }
    }
}
