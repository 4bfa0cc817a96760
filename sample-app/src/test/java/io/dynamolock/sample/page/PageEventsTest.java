package io.dynamolock.sample.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.sample.SampleApplication;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The page's events over HTTP, from the first to the end of the application. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PageEventsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void readersAreLimitedAndDoNotKeepTheApplicationFromStopping() throws Exception {
        ConfigurableApplicationContext application = new SpringApplicationBuilder(SampleApplication.class)
                .run(
                        "--server.port=0",
                        "--dynamolock.embedded.port=0",
                        // Without an end of the events the server would wait so long for their readers.
                        "--spring.lifecycle.timeout-per-shutdown-phase=10m");
        try {
            // As tests do that share an application, and a checkpoint.
            application.stop();
            application.start();
            URI events = URI.create("http://localhost:"
                    + ((WebServerApplicationContext) application).getWebServer().getPort() + "/page/events");
            List<InputStream> readers = new ArrayList<>();
            for (int i = 0; i < PageEvents.MOST_SUBSCRIBERS; i++) {
                HttpResponse<InputStream> answer = get(events);
                assertThat(answer.statusCode()).isEqualTo(200);
                readers.add(answer.body());
            }
            assertThat(get(events).statusCode()).as("one too many").isEqualTo(503);
            assertThat(readers)
                    .allSatisfy(reader -> assertThat(new String(reader.readNBytes(20), StandardCharsets.UTF_8))
                            .startsWith("data:{"));

            // The server still runs: it is not what ends them.
            application.getBean(PageEvents.class).stop();

            readers.forEach(PageEventsTest::toTheEnd);
        } finally {
            application.close();
        }
    }

    private HttpResponse<InputStream> get(URI address) throws Exception {
        return client.send(HttpRequest.newBuilder(address).timeout(PATIENCE).build(), BodyHandlers.ofInputStream());
    }

    /** The server may close the connection without a word. */
    private static void toTheEnd(InputStream reader) {
        try {
            reader.readAllBytes();
        } catch (IOException closed) {
            assertThat(closed).hasMessageContaining("closed");
        }
    }
}
