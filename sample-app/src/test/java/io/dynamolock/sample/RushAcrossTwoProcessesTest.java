package io.dynamolock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.sample.orders.Customer;
import io.dynamolock.sample.rush.RushLock;
import io.dynamolock.sample.rush.RushReport;
import io.dynamolock.sample.rush.RushResult;
import io.dynamolock.spring.autoconfigure.EmbeddedStore;
import java.io.IOException;
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
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Two JVMs, this one with a DynamoDB for both, and many orders of one customer at the same time. */
@WholeApplication
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RushAcrossTwoProcessesTest {

    private static final int ORDERS = 100;

    /** Fewer, because each of them tries again and again while it waits. */
    private static final int LOCKING_READ_ORDERS = 40;

    private Instance first;
    private SampleProcess second;

    @BeforeAll
    void start(@LocalServerPort int port, @Autowired EmbeddedStore dynamoDb) throws IOException {
        first = new Instance(port);
        second = SampleProcess.start(
                "--dynamolock.store=dynamodb",
                "--dynamolock.aws.endpoint=" + dynamoDb.endpoint(),
                "--sample.think-time=10ms");
    }

    @AfterAll
    void stop() {
        if (second != null) {
            second.close();
        }
    }

    @Test
    void noOrderIsLost() {
        assertThat(orderOnBoth("/customers/alice/orders"))
                .extracting(Customer::orders)
                .as("each order saw all before it and none twice")
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, ORDERS).boxed().toList());
        for (Instance instance : List.of(first, second)) {
            assertThat(instance.get("/customers/alice", Customer.class))
                    .isEqualTo(new Customer("alice", ORDERS, new BigDecimal("1250"), 0));
        }
    }

    @Test
    void fencedOrdersCarryRisingTokensAcrossProcesses() {
        List<Customer> inOrder = orderOnBoth("/customers/dora/fenced-orders").stream()
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

        assertAllArrive(rushes, ORDERS);
        assertThat(second.get("/customers/bob", Customer.class).orders()).isEqualTo(ORDERS);
    }

    @Test
    void noOrderByLockingReadIsLost() {
        assertAllArrive(rushOnBoth("erin", LOCKING_READ_ORDERS, RushLock.LOCKING_READ), LOCKING_READ_ORDERS);

        assertThat(second.get("/customers/erin", Customer.class))
                .isEqualTo(new Customer("erin", LOCKING_READ_ORDERS, new BigDecimal("500"), 0));
    }

    @Test
    void withoutTheLockOrdersGetLost() {
        assertAllArrive(rushOnBoth("carol", ORDERS, RushLock.NONE), ORDERS);

        assertThat(second.get("/customers/carol", Customer.class).orders()).isLessThan(ORDERS);
    }

    private List<Customer> orderOnBoth(String path) {
        List<CompletableFuture<Customer>> orders = IntStream.range(0, ORDERS)
                .mapToObj(i -> i % 2 == 0 ? first : second)
                .map(instance -> instance.post(path, "{\"amount\": 12.5}", Customer.class))
                .toList();
        return orders.stream().map(CompletableFuture::join).toList();
    }

    private static void assertAllArrive(List<CompletableFuture<RushResult>> rushes, int orders) {
        assertThat(rushes).allSatisfy(rush -> assertThat(rush.join().arrived()).isEqualTo(orders / 2));
    }

    private List<CompletableFuture<RushResult>> rushOnBoth(String customer, int orders, RushLock lock) {
        String rush =
                "{\"customer\": \"%s\", \"orders\": %d, \"locks\": [\"%s\"]}".formatted(customer, orders / 2, lock);
        return Stream.of(first, second)
                .map(instance -> instance.post("/rush", rush, RushReport.class)
                        .thenApply(report -> report.results().get(0)))
                .toList();
    }

    private static boolean isContended(JsonNode lock) {
        return lock.path("holder").path("owner").isString()
                && !lock.path("queue").isEmpty();
    }
}
