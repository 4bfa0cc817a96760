package io.dynamolock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.json.JsonMapper;

/** An instance of the sample, as its clients see it. */
class Instance {

    private static final Duration REQUEST = Duration.ofSeconds(90);

    private final URI address;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** @param port where it listens */
    Instance(int port) {
        address = URI.create("http://localhost:" + port);
    }

    <T> T get(String path, Class<T> type) {
        return send(request(path).GET().build(), type).join();
    }

    <T> CompletableFuture<T> post(String path, String json, Class<T> type) {
        HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
        return send(request.POST(BodyPublishers.ofString(json)).build(), type);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve(path)).timeout(REQUEST);
    }

    private <T> CompletableFuture<T> send(HttpRequest request, Class<T> type) {
        return client.sendAsync(request, BodyHandlers.ofString()).thenApply(response -> {
            assertThat(response.statusCode())
                    .as("%s was answered with %s", request, response.body())
                    .isBetween(200, 299);
            return JsonMapper.shared().readValue(response.body(), type);
        });
    }
}
