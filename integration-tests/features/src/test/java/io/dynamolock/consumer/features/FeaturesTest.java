package io.dynamolock.consumer.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.PersistenceContextException;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class FeaturesTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @Autowired
    private Orders orders;

    @Autowired
    private Jobs jobs;

    @Autowired
    private LockRegistry locks;

    /** Generic since Spring Integration 7. */
    @Autowired
    @SuppressWarnings("rawtypes")
    private org.springframework.integration.support.locks.LockRegistry integration;

    @Autowired
    private EntityManager entities;

    @Autowired
    private PlatformTransactionManager transactions;

    @Value("${local.server.port}")
    private int port;

    /** @param credentials null for a call of nobody */
    private HttpResponse<String> call(String method, String path, String credentials)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + "/actuator/" + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (credentials != null) {
            byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private String actuator(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = call("GET", path, "operator:secret");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void theApplicationRunsOnTheSpringBootThatItAskedFor() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
    }

    @Test
    void everyKindOfMethodRunsUnderItsLock() {
        assertThat(orders.place("1")).isTrue();
        assertThat(orders.placeLater("1")).succeedsWithin(LONG).isEqualTo(true);
        assertThat(orders.placeReactively("1").block(LONG)).isTrue();
        assertThat(orders.placeInTransaction("1")).isTrue();
        await().untilAsserted(() -> assertThat(locks.admin().held())
                .noneMatch(held -> held.key().equals("customer:1")));
    }

    @Test
    void aMethodWhoseLockIsTakenIsSkipped() {
        try (LockHandle held = locks.acquire("customer:2", LONG)) {
            assertThat(orders.placeOrSkip("2")).isNull();
            assertThat(held.isValid()).isTrue();
        }
        await().untilAsserted(() -> assertThat(orders.placeOrSkip("2")).isEqualTo("2"));
    }

    @Test
    void allAttemptsOfARetryRunUnderOneLock() {
        List<Long> tokens = orders.placeAtTheThirdAttempt("3");
        assertThat(tokens).hasSize(3);
        assertThat(tokens.stream().distinct()).hasSize(1);
    }

    @Test
    void aReadBeforeTheLockIsNoticed() {
        new TransactionTemplate(transactions).executeWithoutResult(transaction -> {
            entities.persist(new Customer("4"));
            assertThatThrownBy(() -> orders.place("4")).isInstanceOf(PersistenceContextException.class);
            transaction.setRollbackOnly();
        });
    }

    @Test
    void healthTellsOfTheLocks() throws Exception {
        try (LockHandle held = locks.acquire("5", LONG)) {
            String health = actuator("health");
            assertThat(held.isValid()).isTrue();
            // In the one order or the other: Jackson 3 sorts.
            assertThat(health)
                    .containsPattern("\"dynamolock\":\\{\"(status\":\"UP|details\":\\{\")")
                    .contains("\"waiting\":0");
        }
    }

    @Test
    void theEndpointShowsLocks() throws Exception {
        try (LockHandle held = locks.acquire("endpoint/6", LONG)) {
            assertThat(actuator("dynamolock")).contains("\"heldInTotal\":", "endpoint/6");
            assertThat(actuator("dynamolock/endpoint/6"))
                    .contains("\"leastToken\":" + held.fencingToken(), "\"queue\":[]");
        }
    }

    @Test
    void onlyAnOperatorEvicts() throws Exception {
        try (LockHandle held = locks.acquire("10", LONG)) {
            String entry = URLEncoder.encode(
                    locks.admin().inspect("10").holder().orElseThrow().id(), StandardCharsets.UTF_8);
            assertThat(call("DELETE", "dynamolock/10?id=" + entry, null).statusCode())
                    .isEqualTo(403);
            assertThat(held.isValid()).isTrue();
            assertThat(call("DELETE", "dynamolock/10?id=" + entry, "operator:secret").statusCode())
                    .isEqualTo(204);
            assertThat(held.isValid()).isFalse();
        }
    }

    @Test
    void infoSaysWhichVersionItIs() throws Exception {
        assertThat(actuator("info")).contains("\"dynamolock\":{\"version\":");
    }

    @Test
    void metricsTellOfTheLocks() throws Exception {
        orders.place("7");
        assertThat(actuator("metrics")).contains("dynamolock.held", "dynamolock.waiting");
        await().untilAsserted(() -> assertThat(actuator("metrics/dynamolock.wait")).contains("Orders.place"));
        await().untilAsserted(() -> assertThat(actuator("metrics/dynamolock.hold")).contains("released"));
    }

    @Test
    void shedLockKeepsItsLocksInDynamoLock() {
        assertThat(jobs.nightly()).isTrue();
    }

    @Test
    void springIntegrationGetsItsLocksFromDynamoLock() throws Throwable {
        Lock lock = integration.obtain("8");
        assertThat(lock.tryLock(30, TimeUnit.SECONDS)).isTrue();
        assertThat(locks.admin().held())
                .anyMatch(held -> held.key().equals("8") && held.namespace().equals("integration"));
        lock.unlock();
        integration.executeLocked("9", () -> {
            assertThat(locks.admin().held()).anyMatch(held -> held.key().equals("9"));
        });
    }

    @Test
    void oneInstanceLeads() throws Exception {
        assertThat(jobs.elected().await(30, TimeUnit.SECONDS)).isTrue();
    }
}
