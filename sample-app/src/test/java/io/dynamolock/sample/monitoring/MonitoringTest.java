package io.dynamolock.sample.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTable;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.sample.orders.OrderService;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Dashboard and alerts of docs/monitoring, asked of a Prometheus that reads the meters of the sample. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "dynamolock.embedded.port=0")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringTest {

    private static final Path DOCS =
            Path.of("..", "docs", "monitoring").toAbsolutePath().normalize();
    private static final Pattern SELECTOR = Pattern.compile("dynamolock_\\w+(\\{[^}]*})?");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");

    @TempDir
    private static Path folder;

    @Autowired
    private LockRegistry locks;

    @Autowired
    private OrderService orders;

    @LocalServerPort
    private int port;

    private Prometheus prometheus;

    @BeforeAll
    void start() throws IOException {
        // In CI nothing is skipped: there the start of Prometheus fails.
        Assumptions.assumeTrue(
                Prometheus.isInstalled() || "true".equals(System.getenv("CI")),
                "Skipped: there is no Prometheus here. Debian has it in the package prometheus.");
        prometheus = Prometheus.start(folder, EmbeddedDynamoDb.freePort(), port);
        awaitAny("dynamolock_leader == 1");
        traffic();
        awaitAny("dynamolock_lost_total{reason=\"max-hold\"} > 0");
        // Quantiles and means are of what happened between two readings.
        rush("after");
        awaitAny("dynamolock_wait_seconds_count{name=\"OrderService.placeFenced\", outcome=\"acquired\"} >= 40");
    }

    private void awaitAny(String query) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> !prometheus.query(query).isEmpty());
    }

    @AfterAll
    void stop() {
        if (prometheus != null) {
            prometheus.close();
        }
    }

    /** Held, waited for, given up, left, lost, and a table that is away for a moment. */
    private void traffic() {
        rush("before");
        LockRequest held = LockRequest.of("monitored").name("monitored");
        try (LockHandle lock = locks.acquire(held)) {
            assertThat(locks.tryAcquire(held.waitTime(Duration.ofMillis(50)))).isEmpty();
            CompletableFuture<LockHandle> left = locks.acquireAsync(held);
            await().until(() -> locks.admin().waiting() == 1);
            left.cancel(false);
            lock.setMaxHold(Duration.ofNanos(1));
            assertThat(lock.isValid()).isFalse();
        }
        LockTable table = locks.admin().table().orElseThrow();
        table.delete();
        assertThatThrownBy(() -> locks.acquire(LockRequest.of("none").waitTime(Duration.ofSeconds(5))))
                .isInstanceOf(LockStoreException.class);
        table.createIfMissing();
        // The next heartbeat notices that the session is gone, and what is asked for after that is under a new one.
        awaitAny("dynamolock_sessions_lost_total >= 1");
    }

    private void rush(String customer) {
        CompletableFuture.allOf(IntStream.range(0, 20)
                        .mapToObj(i -> CompletableFuture.runAsync(() -> {
                            orders.placeFenced("monitored-" + customer, BigDecimal.ONE);
                            orders.place("monitored-" + customer, BigDecimal.ONE);
                        }))
                        .toArray(CompletableFuture[]::new))
                .orTimeout(1, TimeUnit.MINUTES)
                .join();
    }

    @Test
    void eachQueryOfTheDashboardGivesNumbers() {
        List<String> queries = StreamSupport.stream(dashboard().path("panels").spliterator(), false)
                .flatMap(panel -> StreamSupport.stream(panel.path("targets").spliterator(), false))
                .map(target -> target.path("expr").asString())
                .map(MonitoringTest::filledIn)
                .toList();

        assertThat(queries).hasSizeGreaterThan(12);
        assertThat(queries)
                .allSatisfy(query -> await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(prometheus.query(query))
                                .as(query)
                                .anySatisfy(value -> assertThat(value).isNotNaN())));
    }

    @Test
    void eachVariableOfTheDashboardHasValues() {
        List<String> variables = new ArrayList<>();
        for (JsonNode variable : dashboard().path("templating").path("list")) {
            if (variable.path("type").asString().equals("query")) {
                Matcher query = LABEL_VALUES.matcher(
                        filledIn(variable.path("query").path("query").asString()));
                assertThat(query.matches()).as("%s", variable).isTrue();
                assertThat(prometheus.labelValues(query.group(2), query.group(1)))
                        .as("%s", variable)
                        .isNotEmpty();
                variables.add(variable.path("name").asString());
            }
        }
        assertThat(variables).containsExactly("job", "instance", "name");
    }

    /** As the dashboard shows it at first. */
    private static String filledIn(String query) {
        return query.replace("$__rate_interval", "2m")
                .replace("$__range", "5m")
                .replaceAll("\\$(job|instance|name)\\b", ".*");
    }

    @Test
    void eachMeterOfTheDocumentationIsOnTheDashboard() throws IOException {
        String documented = Files.readString(DOCS.resolveSibling("operations.md"));
        String all = dashboard().toString();
        List<String> meters = Pattern.compile("(?m)^\\| `(dynamolock\\.[a-z.]+)` \\| (?:timer|summary|gauge|counter)")
                .matcher(documented)
                .results()
                .map(found -> found.group(1).replace('.', '_'))
                .toList();

        assertThat(meters)
                .hasSizeGreaterThan(8)
                .allSatisfy(meter -> assertThat(all).contains(meter));
    }

    @Test
    void theAlertsAskForMetersThatAreThere() throws Exception {
        assertThat(Prometheus.tool(
                        folder, "check", "rules", DOCS.resolve("alerts.yml").toString()))
                .contains("SUCCESS");
        List<String> selectors = expressions().values().stream()
                .flatMap(expression -> SELECTOR.matcher(expression).results())
                .map(MatchResult::group)
                .distinct()
                .toList();

        assertThat(selectors).hasSizeGreaterThanOrEqualTo(8);
        assertThat(selectors)
                .allSatisfy(selector ->
                        assertThat(prometheus.query(selector)).as(selector).isNotEmpty());
    }

    @Test
    void theAlertsAreRaisedWhenTheyShould() throws Exception {
        Path tests = Path.of("src", "test", "resources", "alerts-test.yml").toAbsolutePath();

        assertThat(Prometheus.tool(folder, "test", "rules", tests.toString())).contains("SUCCESS");
    }

    @Test
    void theLossesOfTheSampleRaiseTheirAlerts() throws IOException {
        Map<String, String> alerts = expressions();

        assertThat(List.of("DynamoLockLost", "DynamoLockSessionsLost"))
                .allSatisfy(alert -> await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(prometheus.query(alerts.get(alert)))
                                .as(alert)
                                .isNotEmpty()));
    }

    /** What each alert asks, by its name. */
    @SuppressWarnings("unchecked")
    private static Map<String, String> expressions() throws IOException {
        Map<String, Object> file =
                new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(DOCS.resolve("alerts.yml")));
        return ((List<Map<String, Object>>) file.get("groups"))
                .stream()
                        .flatMap(group -> ((List<Map<String, String>>) group.get("rules")).stream())
                        .collect(Collectors.toMap(rule -> rule.get("alert"), rule -> rule.get("expr")));
    }

    private static JsonNode dashboard() {
        return JsonMapper.shared().readTree(DOCS.resolve("dashboard.json").toFile());
    }
}
