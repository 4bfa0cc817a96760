package io.dynamolock.sample;

import static io.dynamolock.sample.Requests.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.sample.orders.Customer;
import io.dynamolock.sample.rush.Calls;
import io.dynamolock.sample.rush.OneRush;
import io.dynamolock.sample.rush.RushLock;
import io.dynamolock.sample.rush.RushReport;
import io.dynamolock.sample.rush.RushResult;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.json.JsonMapper;

@WholeApplication
class SampleApplicationTest {

    @Autowired
    private MockMvcTester http;

    @Autowired
    private LockRegistry locks;

    @Autowired
    private OneRush oneRush;

    @Autowired
    private JdbcClient jdbc;

    @Value("${server.address}")
    private InetAddress address;

    @ParameterizedTest
    @CsvSource({"anna, orders", "nina, locking-read-orders"})
    void anOrderAddsToTheCustomersTotal(String customer, String orders) {
        order("/customers/" + customer + "/" + orders, "{\"amount\": 12.5}");
        MvcTestResult second = order("/customers/" + customer + "/" + orders, "{\"amount\": 0.01}");

        assertThat(second).hasStatus(HttpStatus.CREATED);
        assertThat(customer(customer)).isEqualTo(new Customer(customer, 2, new BigDecimal("12.51"), 0));
    }

    @Test
    void aCustomerWithoutOrdersHasATotalOfZero() {
        assertThat(customer("nobody")).isEqualTo(new Customer("nobody", 0, BigDecimal.ZERO, 0));
    }

    @Test
    void aFencedOrderWritesItsFencingToken() {
        order("/customers/bert/fenced-orders", "{\"amount\": 5}");
        long token = customer("bert").fencingToken();
        order("/customers/bert/fenced-orders", "{\"amount\": 5}");

        assertThat(token).isPositive();
        assertThat(customer("bert").fencingToken()).isGreaterThan(token);
        assertThat(customer("bert").total()).isEqualByComparingTo("10");
    }

    @Test
    void aRushWithEitherLockLosesNothingAndReportsCallsWaitsAndOrderOfBoth() {
        // So that no thread is held up by classes that are loaded.
        rush("cleo", 10, RushLock.QUEUE, RushLock.LOCKING_READ);

        // They come within 140 ms, so that the last ones can overtake by more than the margin of 100.
        RushReport report = rush("cleo", 70, RushLock.QUEUE, RushLock.LOCKING_READ);

        assertThat(report.results())
                .extracting(RushResult::lock)
                .containsExactly(RushLock.QUEUE, RushLock.LOCKING_READ);
        assertThat(report.results()).allSatisfy(result -> {
            assertThat(result.verdict()).isEqualTo(RushResult.Verdict.RIGHT);
            assertThat(result.arrived()).isEqualTo(70);
            assertThat(result.lost()).isZero();
            assertThat(result.waited().maxMillis())
                    .isGreaterThanOrEqualTo(result.waited().medianMillis());
        });
        RushResult queue = report.results().get(0);
        RushResult lockingRead = report.results().get(1);
        assertThat(queue.calls().reads()).as("one for each order").isGreaterThanOrEqualTo(70);
        assertThat(queue.calls().writes())
                .as("one for each order, and at least two of the lock's")
                .isGreaterThanOrEqualTo(72)
                .isLessThan(lockingRead.calls().writes());
        assertThat(lockingRead.calls().reads()).isZero();
        assertThat(queue.overtakings()).isLessThan(lockingRead.overtakings());
        assertThat(customer("cleo").total()).isEqualByComparingTo("2000");
    }

    @Test
    void anOrderByLockingReadIsTwoCallsAndOneByTheQueueIsFour() {
        List<RushReport> reports = IntStream.range(0, 4)
                .mapToObj(i -> rush("olga", 1, RushLock.QUEUE, RushLock.LOCKING_READ))
                .toList();

        assertThat(leastCalls(reports, 0)).isEqualTo(new Calls(3, 1));
        assertThat(leastCalls(reports, 1)).isEqualTo(new Calls(2, 0));
    }

    /** The least of several, because a heartbeat may come between. */
    private static Calls leastCalls(List<RushReport> reports, int lock) {
        return reports.stream()
                .map(report -> report.results().get(lock).calls())
                .min(Comparator.comparing(Calls::writes))
                .orElseThrow();
    }

    @Test
    void aRushWithoutALockLosesOrders() {
        RushResult result = rush("dirk", 50, RushLock.NONE).results().get(0);

        assertThat(result.verdict()).isEqualTo(RushResult.Verdict.ORDERS_LOST);
        assertThat(result.arrived()).isEqualTo(50);
        assertThat(result.lost()).isPositive();
        assertThat(customer("dirk").orders()).isEqualTo(50 - result.lost());
    }

    @Test
    void aLockShowsItsHolder() {
        assertThat(http.get().uri("/locks/customer:emil"))
                .bodyJson()
                .extractingPath("$.holder")
                .isNull();

        try (LockHandle held = locks.acquire("customer:emil", Duration.ZERO)) {
            assertThat(http.get().uri("/locks/customer:emil"))
                    .hasStatusOk()
                    .bodyJson()
                    .hasPathSatisfying(
                            "$.holder.greatestToken",
                            number -> number.assertThat().asNumber().isEqualTo(held.fencingToken()))
                    .hasPathSatisfying(
                            "$.holder.owner",
                            owner -> owner.assertThat().asString().isNotBlank());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"amount\": -1}",
                "{\"amount\": 0}",
                "{\"amount\": 1.005}",
                "{\"amount\": 12345678901}",
                "{\"amount\": null}",
                "{}"
            })
    void anAmountThatIsNotMoneyIsRefusedByName(String body) {
        assertRefused(order("/customers/frida/orders", body), HttpStatus.BAD_REQUEST)
                .startsWith("amount must");
        assertThat(customer("frida").orders()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "{\"amount\": \"much\"}", "[", "12.5"})
    void aBodyThatIsNoOrderIsRefusedWithAnExample(String body) {
        assertRefused(order("/customers/frida/fenced-orders", body), HttpStatus.BAD_REQUEST)
                .contains("{\"amount\": 12.5}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"customer\": \"42\", \"orders\": 0, \"locks\": [\"NONE\"]}",
                "{\"customer\": \"42\", \"orders\": 1001, \"locks\": [\"NONE\"]}",
                "{\"customer\": \"42\", \"orders\": \"many\", \"locks\": [\"NONE\"]}",
                "{\"customer\": \"42\", \"orders\": 10, \"locks\": [\"PERHAPS\"]}",
                "{\"customer\": \"42\", \"orders\": 10, \"locks\": []}",
                "{\"customer\": \"42\", \"orders\": 10, \"locks\": [null]}",
                "{\"customer\": \"4 2\", \"orders\": 10, \"locks\": [\"NONE\"]}",
                "{\"customer\": \"42\"}",
                "[]",
                ""
            })
    void aRushThatCannotBeIsRefusedByName(String body) {
        assertRefused(order("/rush", body), HttpStatus.BAD_REQUEST).containsAnyOf("orders", "locks", "customer");
    }

    @Test
    void aSecondRushIsAConflictAndSaysSo() {
        assertThat(oneRush.begin()).isTrue();
        try {
            assertRefused(order("/rush", rushOf("eve", 1, RushLock.NONE)), HttpStatus.CONFLICT)
                    .isEqualTo("A rush is under way. Wait for its end.");
        } finally {
            oneRush.end();
        }
        assertThat(customer("eve").orders()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/rush",
                "/customers/eve/orders",
                "/customers/eve/fenced-orders",
                "/customers/eve/locking-read-orders",
                "/customers/eve/invoices",
                "/customers/eve/payments"
            })
    void aFormOfAPageFromElsewhereChangesNothing(String uri) {
        for (MediaType simple : new MediaType[] {
            MediaType.TEXT_PLAIN, MediaType.APPLICATION_FORM_URLENCODED, MediaType.MULTIPART_FORM_DATA
        }) {
            assertThat(http.post()
                            .uri(uri + "?customer=eve&orders=1&locks=NONE&amount=1")
                            .contentType(simple)
                            .content("{\"customer\": \"eve\", \"orders\": 1, \"locks\": [\"NONE\"], \"amount\": 1}"))
                    .hasStatus(HttpStatus.UNSUPPORTED_MEDIA_TYPE);
        }
        assertThat(http.post().uri(uri + "?customer=eve&orders=1&locks=NONE&amount=1"))
                .hasStatus4xxClientError();
        assertThat(customer("eve").orders()).isZero();
    }

    @Test
    void itListensToThisMachineOnly() {
        assertThat(address.isLoopbackAddress()).isTrue();
    }

    @Test
    void invoicesThatAreIssuedAtOnceHaveNumbersWithoutGapsAndAreMailedByTheLeader() {
        List<CompletableFuture<MvcTestResult>> issued = IntStream.range(0, 20)
                .mapToObj(i ->
                        CompletableFuture.supplyAsync(() -> order("/customers/gina/invoices", "{\"amount\": 12.5}")))
                .toList();

        assertThat(issued).allSatisfy(answer -> assertThat(answer.join()).hasStatus(HttpStatus.CREATED));
        assertThat(jdbc.sql("select number from invoice order by number")
                        .query(Long.class)
                        .list())
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
        await().atMost(Duration.ofMinutes(1))
                .until(() -> jdbc.sql("select count(*) from invoice where not mailed")
                                .query(Long.class)
                                .single()
                        == 0);
    }

    @Test
    void theActuatorShowsLocksAndWhereTheyLive() {
        try (LockHandle held = locks.acquire("customer:jane", Duration.ZERO)) {
            assertThat(http.get().uri("/actuator/dynamolock"))
                    .hasStatusOk()
                    .bodyText()
                    .contains(held.key());
        }
        assertThat(http.get().uri("/actuator/info")).hasStatusOk().bodyText().contains("dynamolock");
        assertThat(http.get().uri("/actuator/health"))
                .hasStatusOk()
                .bodyJson()
                .hasPath("$.components.dynamolock.details");
    }

    @Test
    void aBadCustomerIsRefusedByName() {
        assertRefused(order("/customers/4+2/orders", "{\"amount\": 12.5}"), HttpStatus.BAD_REQUEST)
                .contains("customerId");
    }

    @Test
    void anInvalidLockKeyIsRefused() {
        assertRefused(http.get().uri("/locks/{key}", "k".repeat(3_000)).exchange(), HttpStatus.BAD_REQUEST)
                .isNotBlank();
    }

    private MvcTestResult order(String uri, String body) {
        return Requests.post(http, uri, body);
    }

    private RushReport rush(String customer, int orders, RushLock... tried) {
        MvcTestResult answer = order("/rush", rushOf(customer, orders, tried));
        assertThat(answer).hasStatusOk();
        return assertThat(answer).bodyJson().convertTo(RushReport.class).actual();
    }

    private static String rushOf(String customer, int orders, RushLock... tried) {
        return JsonMapper.shared()
                .writeValueAsString(Map.of("customer", customer, "orders", orders, "locks", List.of(tried)));
    }

    private Customer customer(String customerId) {
        return assertThat(http.get().uri("/customers/{customerId}", customerId))
                .bodyJson()
                .convertTo(Customer.class)
                .actual();
    }
}
