package io.dynamolock.sample.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A Prometheus that reads the meters of one application every second, as Debian's package prometheus has it. */
final class Prometheus implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int UNAVAILABLE = 503;

    private final Process process;
    private final URI address;
    private final HttpClient client = HttpClient.newHttpClient();

    private Prometheus(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    static boolean isInstalled() {
        return find("prometheus").isPresent() && find("promtool").isPresent();
    }

    private static Optional<String> find(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> new File(folder, program))
                .filter(File::canExecute)
                .map(File::getPath)
                .findFirst();
    }

    static Prometheus start(Path folder, int port, int applicationPort) throws IOException {
        Path configuration = Files.writeString(folder.resolve("prometheus.yml"), """
                global:
                  scrape_interval: 1s
                scrape_configs:
                  - job_name: sample
                    metrics_path: /actuator/prometheus
                    static_configs:
                      - targets: ["localhost:%d"]
                """.formatted(applicationPort));
        Process process = new ProcessBuilder(
                        find("prometheus").orElseThrow(),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
        return new Prometheus(process, URI.create("http://localhost:" + port));
    }

    /** What promtool says; fails unless it is content. */
    static String tool(Path folder, String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "promtool", ".log");
        Process tool = new ProcessBuilder(
                        Stream.concat(Stream.of(find("promtool").orElseThrow()), Stream.of(arguments))
                                .toList())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(tool.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(output);
        assertThat(tool.exitValue()).as(said).isZero();
        return said;
    }

    /** The values that the query gives now; empty if it gives none. */
    List<Double> query(String expression) {
        return values(data("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8)));
    }

    /** The values of this label of all series that the selector finds. */
    List<String> labelValues(String label, String selector) {
        JsonNode data = data("/api/v1/label/" + label
                + "/values?match[]=".replace("[", "%5B").replace("]", "%5D")
                + URLEncoder.encode(selector, StandardCharsets.UTF_8));
        return StreamSupport.stream(data.spliterator(), false)
                .map(JsonNode::asString)
                .toList();
    }

    private static List<Double> values(JsonNode data) {
        return StreamSupport.stream(data.path("result").spliterator(), false)
                .map(series -> Double.parseDouble(
                        series.path("value").path(1).asString().replace("Inf", "Infinity")))
                .toList();
    }

    private JsonNode data(String path) {
        try {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(address.resolve(path))
                            .timeout(PATIENCE)
                            .build(),
                    BodyHandlers.ofString());
            if (response.statusCode() == UNAVAILABLE) {
                // It listens a moment before it can answer.
                return JsonMapper.shared().createObjectNode();
            }
            String body = response.body();
            JsonNode answer = JsonMapper.shared().readTree(body);
            assertThat(answer.path("status").asString()).as(body).isEqualTo("success");
            return answer.path("data");
        } catch (IOException notThere) {
            return JsonMapper.shared().createObjectNode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
