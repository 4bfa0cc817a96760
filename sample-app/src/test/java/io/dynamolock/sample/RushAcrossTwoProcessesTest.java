package io.dynamolock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.sample.orders.Customer;
import io.dynamolock.sample.rush.RushLock;
import io.dynamolock.sample.rush.RushReport;
import io.dynamolock.sample.rush.RushResult;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Two JVMs, one DynamoDB (inside the first), and 200 orders of one customer at the same time. */
class RushAcrossTwoProcessesTest {

    private static final int ORDERS = 200;

    /** Fewer, because each of them tries again and again while it waits. */
    private static final int LOCKING_READ_ORDERS = 40;

    /** Between an order's read and its write: long enough that orders without a lock cannot help meeting. */
    private static final String THINK_TIME = "--sample.think-time=10ms";

    private static SampleProcess first;
    private static SampleProcess second;

    @BeforeAll
    static void start() throws Exception {
        int dynamoDbPort = EmbeddedDynamoDb.freePort();
        first = SampleProcess.start("first", "--dynamolock.embedded.port=" + dynamoDbPort, THINK_TIME);
        first.awaitReady();
        second = SampleProcess.start(
                "second",
                "--dynamolock.store=dynamodb",
                "--dynamolock.aws.endpoint=http://localhost:" + dynamoDbPort,
                THINK_TIME);
        second.awaitReady();
    }

    @AfterAll
    static void stop() {
        if (second != null) {
            second.close();
        }
        if (first != null) {
            first.close();
        }
    }

    @Test
    void noOrderIsLost() {
        List<CompletableFuture<Customer>> orders = IntStream.range(0, ORDERS)
                .mapToObj(i -> i % 2 == 0 ? first : second)
                .map(process -> process.post("/customers/alice/orders", "{\"amount\": 12.5}", Customer.class))
                .toList();

        assertThat(orders.stream().map(CompletableFuture::join).map(Customer::orders))
                .as("each order saw all before it and none twice")
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, ORDERS).boxed().toList());
        for (SampleProcess process : List.of(first, second)) {
            assertThat(process.get("/customers/alice", Customer.class))
                    .isEqualTo(new Customer("alice", ORDERS, new BigDecimal("2500"), 0));
        }
    }

    @Test
    void fencedOrdersCarryRisingTokensAcrossProcesses() {
        List<CompletableFuture<Customer>> orders = IntStream.range(0, ORDERS)
                .mapToObj(i -> i % 2 == 0 ? first : second)
                .map(process -> process.post("/customers/dora/fenced-orders", "{\"amount\": 12.5}", Customer.class))
                .toList();

        List<Customer> inOrder = orders.stream()
                .map(CompletableFuture::join)
                .sorted(Comparator.comparing(Customer::orders))
                .toList();
        assertThat(inOrder).hasSize(ORDERS).last().extracting(Customer::orders).isEqualTo((long) ORDERS);
        assertThat(inOrder.stream().map(Customer::fencingToken).toList())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void rushesOfBothProcessesLoseNothingAndShowTheirQueue() {
        List<CompletableFuture<RushResult>> rushes = rushOnBoth("bob", ORDERS, RushLock.QUEUE);
        await("the lock shows its holder, and the other process in its queue")
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> first.get("/locks/customer:bob", JsonNode.class), RushAcrossTwoProcessesTest::isContended);

        for (CompletableFuture<RushResult> rush : rushes) {
            assertThat(rush.join().arrived()).isEqualTo(ORDERS / 2);
        }
        assertThat(second.get("/customers/bob", Customer.class).orders()).isEqualTo(ORDERS);
    }

    @Test
    void noOrderByLockingReadIsLost() {
        List<CompletableFuture<RushResult>> rushes = rushOnBoth("erin", LOCKING_READ_ORDERS, RushLock.LOCKING_READ);

        for (CompletableFuture<RushResult> rush : rushes) {
            assertThat(rush.join().arrived()).isEqualTo(LOCKING_READ_ORDERS / 2);
        }
        assertThat(second.get("/customers/erin", Customer.class))
                .isEqualTo(new Customer("erin", LOCKING_READ_ORDERS, new BigDecimal("500"), 0));
    }

    @Test
    void withoutTheLockOrdersGetLost() {
        List<CompletableFuture<RushResult>> rushes = rushOnBoth("carol", ORDERS, RushLock.NONE);

        for (CompletableFuture<RushResult> rush : rushes) {
            assertThat(rush.join().arrived()).isEqualTo(ORDERS / 2);
        }
        assertThat(second.get("/customers/carol", Customer.class).orders()).isLessThan(ORDERS);
    }

    private static List<CompletableFuture<RushResult>> rushOnBoth(String customer, int orders, RushLock lock) {
        String rush =
                "{\"customer\": \"%s\", \"orders\": %d, \"locks\": [\"%s\"]}".formatted(customer, orders / 2, lock);
        return Stream.of(first, second)
                .map(process -> process.post("/rush", rush, RushReport.class)
                        .thenApply(report -> report.results().get(0)))
                .toList();
    }

    private static boolean isContended(JsonNode lock) {
        return lock.path("holder").path("owner").isString()
                && !lock.path("queue").isEmpty();
    }
}
