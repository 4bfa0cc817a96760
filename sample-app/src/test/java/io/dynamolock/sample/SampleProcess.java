package io.dynamolock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/** The sample in a JVM of its own, as a user starts it. Its output goes to a file in {@code target}. */
final class SampleProcess implements AutoCloseable {

    private static final Duration START_UP = Duration.ofMinutes(2);
    private static final Duration REQUEST = Duration.ofSeconds(90);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Process process;
    private final Path output;
    private final URI address;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private SampleProcess(Process process, Path output, URI address) {
        this.process = process;
        this.output = output;
        this.address = address;
    }

    /** Starts it on a free port; {@link #awaitReady} tells when it answers. */
    static SampleProcess start(String name, String... arguments) throws IOException {
        int port = EmbeddedDynamoDb.freePort();
        Path output = Path.of("target", "sample-" + name + ".log").toAbsolutePath();
        Files.createDirectories(output.getParent());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.add("-XX:TieredStopAtLevel=1");
        command.add(SampleApplication.class.getName());
        command.add("--server.port=" + port);
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(output.getParent().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // Not as an argument: some systems allow only short command lines.
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return new SampleProcess(builder.start(), output, URI.create("http://localhost:" + port));
    }

    void awaitReady() {
        await().atMost(START_UP).pollInterval(Duration.ofMillis(200)).until(() -> {
            assertThat(process.isAlive())
                    .as("the sample ended at start-up; its output is in %s", output)
                    .isTrue();
            return answers();
        });
    }

    private boolean answers() throws InterruptedException {
        try {
            return client.send(request("/actuator/health").GET().build(), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    <T> T get(String path, Class<T> type) {
        return send(request(path).GET().build())
                .thenApply(body -> parse(body, type))
                .join();
    }

    <T> CompletableFuture<T> post(String path, String json, Class<T> type) {
        return send(request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json))
                        .build())
                .thenApply(body -> parse(body, type));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve(path)).timeout(REQUEST);
    }

    private CompletableFuture<String> send(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofString()).thenApply(response -> {
            assertThat(response.statusCode())
                    .as("%s answered %s; the output is in %s", request, response.body(), output)
                    .isBetween(200, 299);
            return response.body();
        });
    }

    private static <T> T parse(String body, Class<T> type) {
        return JSON.readValue(body, type);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
