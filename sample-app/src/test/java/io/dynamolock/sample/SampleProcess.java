package io.dynamolock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** The sample in a JVM of its own, as a user starts it. Its output goes to a file in {@code target}. */
final class SampleProcess extends Instance implements AutoCloseable {

    private static final Duration START_UP = Duration.ofMinutes(2);
    private static final Path OUTPUT = Path.of("target", "sample.log").toAbsolutePath();

    private final Process process;

    private SampleProcess(Process process, int port) {
        super(port);
        this.process = process;
    }

    /** Starts it on a free port, and returns when it answers. */
    static SampleProcess start(String... arguments) throws IOException {
        int port = EmbeddedDynamoDb.freePort();
        Files.createDirectories(OUTPUT.getParent());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.add("-XX:TieredStopAtLevel=1");
        command.add(SampleApplication.class.getName());
        command.add("--server.port=" + port);
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(OUTPUT.getParent().toFile())
                .redirectErrorStream(true)
                .redirectOutput(OUTPUT.toFile());
        // Not as an argument: some systems allow only short command lines.
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        SampleProcess started = new SampleProcess(builder.start(), port);
        await().atMost(START_UP).pollInterval(Duration.ofMillis(200)).until(started::answers);
        return started;
    }

    private boolean answers() {
        assertThat(process.isAlive())
                .as("the sample ended at start-up; its output is in %s", OUTPUT)
                .isTrue();
        try {
            return get("/actuator/health", JsonNode.class)
                    .path("status")
                    .asString()
                    .equals("UP");
        } catch (CompletionException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
