package io.dynamolock.sample.orders;

import static io.dynamolock.sample.Requests.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockEvictedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.lockingread.ItemChangedException;
import io.dynamolock.lockingread.ItemLockInterruptedException;
import io.dynamolock.lockingread.ItemLockLostException;
import io.dynamolock.lockingread.ItemLockedException;
import io.dynamolock.lockingread.LockedItem;
import io.dynamolock.lockingread.LockingTable;
import io.dynamolock.sample.Requests;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.ArgumentCaptor;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** What a client reads when an order could not be taken. */
@WebMvcTest(CustomerController.class)
@MockitoBean(types = CustomerTable.class)
class FailedOrdersTest {

    private static final String ORDER = "{\"amount\": 12.5}";
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Key KEY = Key.builder().partitionValue("42").build();
    private static final Customer AFTER = Customer.withoutOrders("42").withOrder(BigDecimal.TEN);

    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    private final DynamoDbClient client = mock(DynamoDbClient.class);
    private final ArgumentCaptor<UpdateItemRequest> sent = ArgumentCaptor.forClass(UpdateItemRequest.class);
    private final LockingTable<Customer> table = LockingTable.builder(
                    client,
                    DynamoDbEnhancedClient.builder()
                            .dynamoDbClient(client)
                            .build()
                            .table("customers", CustomerSchema.SCHEMA))
            .lockAbsentItems()
            .build();

    @Autowired
    private MockMvcTester http;

    @MockitoBean
    private OrderService orders;

    @MockitoBean
    private LockingReadOrderService lockingReadOrders;

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void aServiceThatStopsIsUnavailable() {
        locks.close();
        LockClosedException closed =
                catchThrowableOfType(LockClosedException.class, () -> locks.acquire("customer:42", Duration.ZERO));

        assertThat(orderThatFailsWith(closed)).hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
    }

    @Test
    void aLateWriteIsAConflict() {
        assertRefused(
                        orderThatFailsWith(new StaleWriteException("42", 7, new IllegalStateException())),
                        HttpStatus.CONFLICT)
                .contains("This order was not written; order again");
    }

    @Test
    void aSilentDynamoDbIsUnavailable() {
        assertThat(orderThatFailsWith(SdkClientException.create("connection refused")))
                .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                .bodyJson()
                .extractingPath("$.title")
                .asString()
                .contains("DynamoDB");
    }

    /** A key is a customer's id or worse, and a message may name the host of the holder. */
    @ParameterizedTest
    @MethodSource("failures")
    void noAnswerContainsAKeyOrWhatAnExceptionSays(RuntimeException failure) {
        assertThat(failure).hasMessageContaining("anna@example.org");

        assertThat(orderThatFailsWith(failure))
                .hasContentType(MediaType.APPLICATION_PROBLEM_JSON)
                .bodyText()
                .doesNotContain("anna@example.org", "host-7");
    }

    static List<RuntimeException> failures() {
        String key = "customer:anna@example.org";
        return List.of(
                new LockTimeoutException(key, "default", key + " is held by host-7", Duration.ZERO, 1, "host-7", null),
                new LockEvictedException(key, "default", "orders", Duration.ZERO),
                new StaleWriteException("anna@example.org", 7, new IllegalStateException()),
                new IllegalArgumentException("The lock key " + key + " is too long"));
    }

    @Test
    void whatDynamoDbSaysIsForTheLogOnly() {
        DynamoDbClient refusing = mock(DynamoDbClient.class, call -> {
            throw DynamoDbException.builder()
                    .statusCode(400)
                    .awsErrorDetails(AwsErrorDetails.builder()
                            .errorCode("AccessDeniedException")
                            .errorMessage("arn:aws:sts::123456789012:assumed-role/orders is not authorized")
                            .build())
                    .build();
        });
        try (LockRegistry refused = LockRegistry.builder(refusing).build()) {
            LockStoreException failure =
                    catchThrowableOfType(LockStoreException.class, () -> refused.acquire("customer:42", Duration.ZERO));
            assertThat(failure).hasMessageContaining("123456789012");

            assertThat(orderThatFailsWith(failure))
                    .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                    .bodyText()
                    .doesNotContain("123456789012")
                    .contains("Look at the customer");
        }
    }

    @Test
    void aCustomerWhoseItemIsLockedIsUnavailableAndTheClientMayOrderAgain() {
        itemThatIs(Map.of(
                "lockToken", AttributeValue.fromS("a1b2"),
                "lockedBy", AttributeValue.fromS("another process"),
                "lockedUntil", AttributeValue.fromN("1000"),
                "lockLease", AttributeValue.fromN("10000")));
        ItemLockedException busy =
                catchThrowableOfType(ItemLockedException.class, () -> table.lockAndRead(KEY, LEASE, Duration.ZERO));

        MvcTestResult answer = lockingReadOrderThatFailsWith(busy);

        assertThat(answer).hasHeader(HttpHeaders.RETRY_AFTER, "5");
        assertRefused(answer, HttpStatus.SERVICE_UNAVAILABLE)
                .contains("Nothing was written; order again")
                .doesNotContain("another process");
    }

    @Test
    void aLostLockOfAnItemLeavesTheClientToLook() {
        LockedItem<Customer> locked = lockedCustomer();
        itemThatIs(Map.of("customerId", AttributeValue.fromS("42")));
        ItemLockLostException lost =
                catchThrowableOfType(ItemLockLostException.class, () -> locked.updateAndRelease(AFTER));

        MvcTestResult answer = lockingReadOrderThatFailsWith(lost);

        assertThat(answer).doesNotContainHeader(HttpHeaders.RETRY_AFTER);
        assertRefused(answer, HttpStatus.SERVICE_UNAVAILABLE).contains("Look at the customer");
    }

    @Test
    void aCustomerThatWasWrittenWithoutItsLockIsAConflict() {
        LockedItem<Customer> locked = lockedCustomer();
        itemThatIs(Map.of("lockToken", tokenThatWasSent(), "orders", AttributeValue.fromN("7")));
        ItemChangedException changed =
                catchThrowableOfType(ItemChangedException.class, () -> locked.updateAndRelease(AFTER));

        assertRefused(lockingReadOrderThatFailsWith(changed), HttpStatus.CONFLICT)
                .contains("order again");
    }

    @Test
    void anItemThatCannotBeLockedIsUnavailable() {
        Thread.currentThread().interrupt();
        ItemLockInterruptedException interrupted =
                catchThrowableOfType(ItemLockInterruptedException.class, () -> table.lockAndRead(KEY, LEASE));
        assertThat(Thread.interrupted()).isTrue();

        assertThat(lockingReadOrderThatFailsWith(interrupted)).hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
    }

    private LockedItem<Customer> lockedCustomer() {
        given(client.updateItem(sent.capture()))
                .willReturn(UpdateItemResponse.builder().attributes(Map.of()).build());
        return table.lockAndRead(KEY, LEASE).orElseThrow();
    }

    private AttributeValue tokenThatWasSent() {
        return sent.getValue().expressionAttributeValues().values().stream()
                .filter(value -> value.s() != null && value.s().matches("[0-9a-f]{32}-[0-9a-f]{8}"))
                .findFirst()
                .orElseThrow();
    }

    /** What is in the table when the next call is refused. */
    private void itemThatIs(Map<String, AttributeValue> item) {
        given(client.updateItem(any(UpdateItemRequest.class)))
                .willThrow(ConditionalCheckFailedException.builder()
                        .message("refused")
                        .item(item)
                        .build());
    }

    private MvcTestResult orderThatFailsWith(RuntimeException failure) {
        given(orders.place(any(), any())).willThrow(failure);
        return Requests.post(http, "/customers/42/orders", ORDER);
    }

    private MvcTestResult lockingReadOrderThatFailsWith(RuntimeException failure) {
        given(lockingReadOrders.place(any(), any())).willThrow(failure);
        return Requests.post(http, "/customers/42/locking-read-orders", ORDER);
    }
}
