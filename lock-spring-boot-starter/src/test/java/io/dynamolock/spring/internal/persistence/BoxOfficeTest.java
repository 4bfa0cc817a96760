package io.dynamolock.spring.internal.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.internal.persistence.BoxOffice.Show;
import io.dynamolock.spring.internal.persistence.BoxOffice.Shows;
import io.dynamolock.spring.internal.persistence.BoxOffice.VersionedShow;
import io.dynamolock.spring.internal.persistence.BoxOffice.VersionedShows;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Sixty requests for tickets of one show. A sale is lost if its request was answered 200 and it is not counted. */
@ExtendWith(OutputCaptureExtension.class)
class BoxOfficeTest {

    private static final int REQUESTS = 60;
    private static final Duration BOUND = Duration.ofMinutes(1);

    private static final String WARNING = "may see what was true before it had its lock";
    private static final String FAIL = "dynamolock.persistence-context=fail";
    private static final String NOT_IN_VIEW = "spring.jpa.open-in-view=false";

    private final HttpClient client = HttpClient.newHttpClient();

    private ConfigurableApplicationContext application;

    private void start(String... properties) {
        application = BoxOffice.start(WebApplicationType.SERVLET, properties);
        application.getBean(Shows.class).save(new Show(1));
        application.getBean(VersionedShows.class).save(new VersionedShow(1));
    }

    @AfterEach
    void stop() {
        if (application != null) {
            application.close();
        }
    }

    private CompletableFuture<Integer> post(String path) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path + "/1"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(HttpResponse::statusCode);
    }

    /** Sends requests to these paths in turn. Each is answered with 200, or with 409 if nothing was sold. */
    private long answered200(String... paths) {
        List<CompletableFuture<Integer>> answers = IntStream.range(0, REQUESTS)
                .mapToObj(number -> post(paths[number % paths.length]))
                .toList();
        List<Integer> statuses = answers.stream().map(CompletableFuture::join).toList();
        assertThat(statuses).isSubsetOf(200, 409);
        return statuses.stream().filter(status -> status == 200).count();
    }

    private int sold() {
        return application.getBean(Shows.class).findById(1L).orElseThrow().sold;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/read-first", "/new-transaction"})
    void withBootsDefaultsSalesAreLostAndTheLogSaysWhy(String path, CapturedOutput output) {
        start();
        assertThat(answered200(path)).isEqualTo(REQUESTS);
        assertThat(sold()).isLessThan(REQUESTS);
        assertThat(output)
                .containsOnlyOnce(WARNING)
                .contains("Office.sell", "already held 1 entity", "set spring.jpa.open-in-view=false");
        assertThat(application
                        .getBean(MeterRegistry.class)
                        .get("dynamolock.persistence.context")
                        .counters())
                .filteredOn(counter -> counter.count() > 0)
                .singleElement()
                .satisfies(counter -> assertThat(counter.count()).isEqualTo(REQUESTS));
    }

    @Test
    void aCallersTransactionThatReadsFirstLosesSalesAndTheLogSaysWhy(CapturedOutput output) {
        start(NOT_IN_VIEW);
        assertThat(answered200("/agency")).isEqualTo(REQUESTS);
        assertThat(sold()).isLessThan(REQUESTS);
        assertThat(output)
                .containsOnlyOnce(WARNING)
                .contains("already held 1 entity", "begin the transaction inside the locked method");
    }

    @ParameterizedTest
    @CsvSource({"/read-first, true", "/new-transaction, true", "/agency, true", "/agency, false"})
    void withFailNoSaleIsLost(String wrong, boolean openInView) {
        start(FAIL, "spring.jpa.open-in-view=" + openInView);
        assertThat(answered200(wrong, "/read-inside")).isEqualTo(REQUESTS / 2);
        assertThat(sold()).isEqualTo(REQUESTS / 2);
        assertThat(application.getBean(LockRegistry.class).admin().held()).isEmpty();
    }

    @Test
    void whoReadsInsideOnlyLosesNoSale(CapturedOutput output) {
        start(FAIL);
        assertThat(answered200("/read-inside")).isEqualTo(REQUESTS);
        assertThat(sold()).isEqualTo(REQUESTS);
        assertThat(output).doesNotContain(WARNING);
    }

    @Test
    void whoRefreshesInsideLosesNoSale() {
        start();
        assertThat(answered200("/refresh")).isEqualTo(REQUESTS);
        assertThat(sold()).isEqualTo(REQUESTS);
    }

    @Test
    void whoSwitchesOpenInViewOffLosesNoSale(CapturedOutput output) {
        start(FAIL, NOT_IN_VIEW);
        assertThat(answered200("/read-first", "/new-transaction")).isEqualTo(REQUESTS);
        assertThat(sold()).isEqualTo(REQUESTS);
        assertThat(output).doesNotContain(WARNING);
    }

    /** Each caller needs a second connection while it keeps the first one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMethodThatSuspendsItsCallersTransactionLosesNoSale(boolean openInView, CapturedOutput output) {
        start(
                FAIL,
                "spring.jpa.open-in-view=" + openInView,
                "spring.datasource.hikari.maximum-pool-size=" + 2 * REQUESTS);
        assertThat(answered200("/agency/new-transaction")).isEqualTo(REQUESTS);
        assertThat(sold()).isEqualTo(REQUESTS);
        assertThat(output).doesNotContain(WARNING);
    }

    @Test
    void aVersionTurnsALostSaleIntoAFailure() {
        start();
        long answered200 = answered200("/versioned");
        assertThat(answered200).isBetween(1L, REQUESTS - 1L);
        assertThat(application.getBean(VersionedShows.class).findById(1L).orElseThrow().sold)
                .isEqualTo((int) answered200);
    }

    @Test
    void aWaitingRequestThatHasReadKeepsItsConnectionAndAnotherNone() {
        start();
        LockRegistry locks = application.getBean(LockRegistry.class);
        HikariDataSource connections = application.getBean(HikariDataSource.class);
        List<CompletableFuture<Integer>> answers;
        try (LockHandle held = locks.acquire("show:1", BOUND)) {
            List<CompletableFuture<Integer>> inside =
                    Stream.generate(() -> post("/read-inside")).limit(3).toList();
            await().atMost(BOUND).until(() -> locks.admin().waiting() == 3);
            assertThat(connections.getHikariPoolMXBean().getActiveConnections()).isZero();

            answers = Stream.concat(
                            inside.stream(),
                            Stream.generate(() -> post("/read-first")).limit(2))
                    .toList();
            await().atMost(BOUND).until(() -> locks.admin().waiting() == 5);
            assertThat(connections.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
            assertThat(held.isValid()).isTrue();
        }
        assertThat(answers).extracting(CompletableFuture::join).containsOnly(200);
    }
}
